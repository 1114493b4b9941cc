import { redirectResponse } from "../../../http/html.ts";
import { canRemoveFactor } from "../../../identity/factors/change-permission.ts";
import { removeOwnFactor } from "../../../identity/factors/remove-own-factor.ts";
import { multifactorSettings } from "../../../model/factors/multifactor.ts";
import { drawRemove } from "./pages/remove.tsx";
import { factorLabel } from "./factor-label.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountForm } from "../section-form.ts";
import type { AccountVisit } from "../visit.ts";

/** Returns the page that asks whether to remove a factor. */
export function removePage(visit: AccountVisit, state: AccountState): Promise<Response> | Response {
  const { tenant, factors } = visit;
  const factor = factors.find(({ id }) => id === state.id);
  const decision = factor && canRemoveFactor(factor, factors, multifactorSettings(tenant.record));
  if (factor === undefined || decision === undefined || decision === "absent") return redirectResponse(sectionUrl(visit));
  return sectionPage(visit, state, {
    name: "account-remove",
    draw: (drawing) =>
      drawRemove(
        { ...drawing, problem: problemNamed(state.problem) },
        {
          method: factorLabel(tenant, drawing.t, factor),
          removal: decision === "required" ? "required" : decision.isLast ? "last" : "plain",
          back: sectionUrl(visit),
        },
      ),
  });
}

/** Removes a factor, unless the tenant requires it. */
export async function removeUserFactor(visit: AccountVisit, { view }: AccountForm): Promise<Response> {
  const { tenant, user, factors } = visit;
  const factor = factors.find(({ id }) => id === view.id);
  const outcome = factor && (await removeOwnFactor(tenant, { user, client: undefined }, factor, multifactorSettings(tenant.record)));
  if (factor === undefined || outcome === "absent") return redirectResponse(sectionUrl(visit));
  if (outcome !== "removed") return redirectResponse(sectionUrl(visit, view));
  return redirectResponse(sectionUrl(visit, { done: "removed" }));
}
