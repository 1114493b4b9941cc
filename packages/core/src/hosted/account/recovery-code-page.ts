import { drawRecoveryCode } from "../../login/steps/recovery-code/page.tsx";
import type { RecoveryCodeScreen } from "../../login/steps/recovery-code/step.ts";
import { sectionPage, type AccountView } from "./section-page.tsx";
import type { AccountVisit } from "./visit.ts";

/**
 * Returns the page that shows a recovery code once: only the response to a form contains it. The browser then returns to
 * the view.
 */
export function recoveryCodePage(
  visit: AccountVisit,
  view: AccountView,
  { code, ...more }: Omit<RecoveryCodeScreen, "name">,
): Promise<Response> {
  return sectionPage(visit, view, {
    name: "recovery-code",
    draw: (drawing) => drawRecoveryCode({ ...drawing, problem: undefined }, { name: "recovery-code", code, ...more }),
  });
}
