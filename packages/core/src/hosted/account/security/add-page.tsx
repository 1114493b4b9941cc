import { redirectResponse } from "../../../http/html.ts";
import { drawAddFactor } from "../../../login/factors/enrollment-page.tsx";
import { factorPages } from "../../../login/factors/kinds.ts";
import { enrollmentScreen } from "../../../login/factors/enrollment-screen.ts";
import { resendDelay } from "../../../login/factors/send-code.ts";
import { addFactorProblem } from "../../../login/factors/shown-correction.ts";
import { factorContext } from "../factor-context.ts";
import { findPendingFactor } from "./new-factor.ts";
import { offeredTypes } from "./offered-types.ts";
import { BackToSection } from "../pages/back.tsx";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";

/** Returns the pages with which the user adds a factor: the list of types, and a page for each type. */
export async function addPage(visit: AccountVisit, state: AccountState): Promise<Response> {
  const { tenant } = visit;
  const options = await offeredTypes(visit);
  const chosen = options.find((one) => one === state.type);
  const factor = await findPendingFactor(visit, state.new);
  const startsAtOnce = chosen !== undefined && factorPages[chosen].enrollment?.start !== undefined;
  const isLost = factor === undefined && (startsAtOnce || state.new !== undefined);
  // The key of the app has expired, or was confirmed in another tab.
  if (chosen !== undefined && (isLost || (factor !== undefined && factor.type !== chosen)))
    return redirectResponse(sectionUrl(visit, { view: "add" }));
  const screen = await enrollmentScreen(factorContext(visit), {
    options,
    chosen,
    factor: chosen === undefined ? undefined : factor,
    ...(state.sent !== undefined && { last: { resendIn: resendDelay } }),
  });
  const problem = (await addFactorProblem(tenant, visit.session.id, state)) ?? problemNamed(state.problem);
  return sectionPage(visit, state, {
    name: "add-factor",
    draw: (drawing) => ({
      problem: problem !== undefined,
      ...drawAddFactor({ ...drawing, problem }, screen, {
        lead: drawing.t.text("securityAddLead"),
        exit: <BackToSection t={drawing.t} href={sectionUrl(visit)} />,
      }),
    }),
  });
}
