import * as z from "zod";
import { PosternError } from "../errors.ts";
import type { Drawing, PageParts, StepDrawing } from "./components/drawing.ts";
import { withCorrection, type ActionDefinition, type AnyScreen, type Step } from "./step.ts";
import { addFactorStep } from "./steps/add-factor/step.ts";
import { addPasskeyStep } from "./steps/add-passkey/step.ts";
import { code } from "./steps/code/step.ts";
import { confirmDevice } from "./steps/confirm-device/step.ts";
import { consent } from "./steps/consent/step.ts";
import { createAccount } from "./steps/create-account/step.ts";
import { createPasskeyStep } from "./steps/create-passkey/step.ts";
import { factorStep } from "./steps/factor/step.ts";
import { identifier } from "./steps/identifier/step.ts";
import { invitationStep } from "./steps/invitation/step.ts";
import { keepAccountStep } from "./steps/keep-account/step.ts";
import { linkAccount } from "./steps/link-account/step.ts";
import { newPassword } from "./steps/new-password/step.ts";
import { organization } from "./steps/organization/step.ts";
import { passwordStep } from "./steps/password/step.ts";
import { provider } from "./steps/provider/step.ts";
import { recoveryCodeStep } from "./steps/recovery-code/step.ts";
import { resetPasswordStep } from "./steps/reset-password/step.ts";
import { selectAccount } from "./steps/select-account/step.ts";
import { signUpStep } from "./steps/sign-up/step.ts";
import { drawAddFactor } from "./factors/enrollment-page.tsx";
import { drawAddPasskey } from "./steps/add-passkey/page.tsx";
import { drawCreatePasskey } from "./steps/create-passkey/page.tsx";
import { drawFactor } from "./factors/challenge-page.tsx";
import { drawRecoveryCode } from "./steps/recovery-code/page.tsx";
import { drawSelectAccount } from "./steps/select-account/page.tsx";
import { drawCreateAccount } from "./steps/create-account/page.tsx";
import { drawSignUp } from "./steps/sign-up/page.tsx";
import { drawResetPassword } from "./steps/reset-password/page.tsx";
import { drawCode } from "./steps/code/page.tsx";
import { drawKeepAccount } from "./steps/keep-account/page.tsx";
import { drawNewPassword } from "./steps/new-password/page.tsx";
import { drawLinkAccount } from "./steps/link-account/page.tsx";
import { drawProvider } from "./steps/provider/page.tsx";
import { drawIdentifier } from "./steps/identifier/page.tsx";
import { drawPassword } from "./steps/password/page.tsx";
import { drawInvitation } from "./steps/invitation/page.tsx";
import { drawOrganization } from "./steps/organization/page.tsx";
import { drawConfirmDevice } from "./steps/confirm-device/page.tsx";
import { drawConsent } from "./steps/consent/page.tsx";

/** Draws the page for a screen. */
export type DrawScreen = (drawing: Drawing, screen: AnyScreen) => PageParts;

/** Combines a step with the function that draws its page. */
function row<Screen extends AnyScreen>(
  step: Step<Screen>,
  drawStep: (drawing: StepDrawing, screen: Screen) => PageParts,
): { readonly step: Step<Screen>; readonly draw: DrawScreen } {
  return {
    step,
    draw: (drawing, screen) => {
      const problem = screen.problem === undefined ? undefined : withCorrection(step.problems[screen.problem], screen.correction);
      return { problem: problem !== undefined, ...drawStep({ ...drawing, problem }, step.screen.parse(screen)) };
    },
  };
}

/** All steps, in the order in which they run. To add a step, add a folder, a line here and its texts. */
const table = [
  row(selectAccount, drawSelectAccount),
  row(factorStep, drawFactor),
  row(addFactorStep, drawAddFactor),
  row(createAccount, drawCreateAccount),
  row(signUpStep, drawSignUp),
  row(createPasskeyStep, drawCreatePasskey),
  row(resetPasswordStep, drawResetPassword),
  row(code, drawCode),
  row(newPassword, drawNewPassword),
  row(linkAccount, drawLinkAccount),
  row(provider, drawProvider),
  row(identifier, drawIdentifier),
  row(passwordStep, drawPassword),
  row(keepAccountStep, drawKeepAccount),
  row(recoveryCodeStep, drawRecoveryCode),
  row(addPasskeyStep, drawAddPasskey),
  row(invitationStep, drawInvitation),
  row(organization, drawOrganization),
  row(consent, drawConsent),
  row(confirmDevice, drawConfirmDevice),
] as const;

/** All steps, in the order in which the engine runs them. */
export const steps: readonly Step[] = table.map(({ step }) => step);

/** The data for one page of the login flow. The JSON flow API returns this data; the hosted pages render it. */
export const screenSchema = z
  .discriminatedUnion("name", [table[0].step.screen, ...table.slice(1).map(({ step }) => step.screen)])
  .meta({ id: "Screen", description: "The current screen of the login" });

export type Screen = z.output<typeof screenSchema>;

/** Returns the step with this name. */
export function stepNamed(name: string): Step | undefined {
  return steps.find((step) => step.name === name);
}

/** Returns the function that draws the page of the step with this name. */
export function pageOfStep(name: string): DrawScreen {
  const found = table.find(({ step }) => step.name === name);
  if (found === undefined) throw new PosternError("server_error", "the page does not exist", { detail: name });
  return found.draw;
}

/** All actions by name. If several steps have an action with the same name, they share one definition. */
export const actions: { readonly [name: string]: ActionDefinition } = Object.fromEntries(
  steps.flatMap((step) => Object.entries(step.actions)),
);
