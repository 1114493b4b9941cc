import { redirectResponse } from "../../http/html.ts";
import { canRemoveFactor } from "../../identity/factors/change-permission.ts";
import { removeOwnFactor } from "../../identity/factors/remove-own-factor.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { drawRemove } from "./pages/remove.tsx";
import { factorLabel } from "./factor-label.ts";
import { problemNamed, securityPage, securityUrl, type SecurityState } from "./security-page.ts";
import type { SecurityForm } from "./security-form.ts";
import type { AccountVisit } from "./visit.ts";

/** Returns the page that asks whether to remove a factor. */
export function removePage(visit: AccountVisit, state: SecurityState): Promise<Response> | Response {
  const { tenant, factors } = visit;
  const factor = factors.find(({ id }) => id === state.id);
  const decision = factor && canRemoveFactor(factor, factors, multifactorSettings(tenant.record));
  if (factor === undefined || decision === undefined || decision === "absent") return redirectResponse(securityUrl(tenant));
  return securityPage(visit, state, {
    name: "account-remove",
    draw: (drawing) =>
      drawRemove(
        { ...drawing, problem: problemNamed(state.problem) },
        {
          method: factorLabel(tenant, drawing.t, factor),
          removal: decision === "required" ? "required" : decision.isLast ? "last" : "plain",
          back: securityUrl(tenant),
        },
      ),
  });
}

/** Removes a factor, unless the tenant requires it. */
export async function removeUserFactor(visit: AccountVisit, { view }: SecurityForm): Promise<Response> {
  const { tenant, user, factors } = visit;
  const factor = factors.find(({ id }) => id === view.id);
  const outcome = factor && (await removeOwnFactor(tenant, { user, client: undefined }, factor, multifactorSettings(tenant.record)));
  if (factor === undefined || outcome === "absent") return redirectResponse(securityUrl(tenant));
  if (outcome !== "removed") return redirectResponse(securityUrl(tenant, view));
  return redirectResponse(securityUrl(tenant, { done: "removed" }));
}
