import { redirectResponse } from "../../../http/html.ts";
import { updateFactor } from "../../../identity/factors/factors.ts";
import { drawRename } from "./pages/rename.tsx";
import { factorLabel } from "./factor-label.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountForm } from "../section-form.ts";
import type { AccountVisit } from "../visit.ts";

/** The maximum length of a name, in UTF-16 code units. */
const maximumLength = 64;

/** Returns the page on which the user names a factor. */
export function renamePage(visit: AccountVisit, state: AccountState): Promise<Response> | Response {
  const { tenant, factors } = visit;
  const factor = factors.find(({ id }) => id === state.id);
  if (factor === undefined) return redirectResponse(sectionUrl(visit));
  return sectionPage(visit, state, {
    name: "account-rename",
    draw: (drawing) =>
      drawRename(
        { ...drawing, problem: problemNamed(state.problem) },
        { method: factorLabel(tenant, drawing.t, factor), name: factor.name ?? "", back: sectionUrl(visit) },
      ),
  });
}

/** Stores the name of a factor. */
export async function renameFactor(visit: AccountVisit, { view, name: typed }: AccountForm): Promise<Response> {
  const { tenant, factors } = visit;
  const name = typed.replaceAll(/\s+/g, " ").trim().slice(0, maximumLength).toWellFormed();
  if (name === "") return redirectResponse(sectionUrl(visit, { ...view, problem: "name-missing" }));
  const factor = factors.find(({ id }) => id === view.id);
  const isRenamed = factor !== undefined && (await updateFactor(tenant, factor, { name }));
  return redirectResponse(sectionUrl(visit, isRenamed ? { done: "renamed" } : {}));
}
