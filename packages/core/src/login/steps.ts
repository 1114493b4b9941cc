import * as z from "zod";
import { PosternError } from "../errors.ts";
import type { Drawing, Drawn, StepDrawing } from "./kit/drawing.ts";
import type { ActionDefinition, AnyScreen, Step } from "./step.ts";
import { code } from "./steps/code/step.ts";
import { consent } from "./steps/consent/step.ts";
import { createAccount } from "./steps/create-account/step.ts";
import { identifier } from "./steps/identifier/step.ts";
import { invitation } from "./steps/invitation/step.ts";
import { linkAccount } from "./steps/link-account/step.ts";
import { newPassword } from "./steps/new-password/step.ts";
import { organization } from "./steps/organization/step.ts";
import { password } from "./steps/password/step.ts";
import { provider } from "./steps/provider/step.ts";
import { resetPassword } from "./steps/reset-password/step.ts";
import { selectAccount } from "./steps/select-account/step.ts";
import { signUp } from "./steps/sign-up/step.ts";

/** Draws a screen. */
export type DrawScreen = (drawing: Drawing, screen: AnyScreen) => Drawn;

/** A step and its page, which is loaded when it is first shown. */
function row<Screen extends AnyScreen>(step: Step<Screen>, load: () => Promise<(drawing: StepDrawing, screen: Screen) => Drawn>) {
  const page = async (): Promise<DrawScreen> => {
    const drawStep = await load();
    return (drawing, screen) => {
      const problem = screen.problem === undefined ? undefined : step.problems[screen.problem];
      return { problem: problem !== undefined, ...drawStep({ ...drawing, problem }, step.screen.parse(screen)) };
    };
  };
  return { step, page };
}

/** Every step, in the order in which they are asked. A new one is a folder, a line here, and its texts. */
const table = [
  row(selectAccount, async () => (await import("./steps/select-account/page.tsx")).drawSelectAccount),
  row(createAccount, async () => (await import("./steps/create-account/page.tsx")).drawCreateAccount),
  row(signUp, async () => (await import("./steps/sign-up/page.tsx")).drawSignUp),
  row(resetPassword, async () => (await import("./steps/reset-password/page.tsx")).drawResetPassword),
  row(code, async () => (await import("./steps/code/page.tsx")).drawCode),
  row(newPassword, async () => (await import("./steps/new-password/page.tsx")).drawNewPassword),
  row(linkAccount, async () => (await import("./steps/link-account/page.tsx")).drawLinkAccount),
  row(provider, async () => (await import("./steps/provider/page.tsx")).drawProvider),
  row(identifier, async () => (await import("./steps/identifier/page.tsx")).drawIdentifier),
  row(password, async () => (await import("./steps/password/page.tsx")).drawPassword),
  row(invitation, async () => (await import("./steps/invitation/page.tsx")).drawInvitation),
  row(organization, async () => (await import("./steps/organization/page.tsx")).drawOrganization),
  row(consent, async () => (await import("./steps/consent/page.tsx")).drawConsent),
] as const;

/** The steps, as the engine takes them. */
export const steps: readonly Step[] = table.map(({ step }) => step);

/** What a page of the login flow shows, as data: the JSON flow API returns it, the pages draw it. */
export const Screen = z
  .discriminatedUnion("name", [table[0].step.screen, ...table.slice(1).map(({ step }) => step.screen)])
  .meta({ id: "Screen", description: "What the login asks now" });

export type Screen = z.output<typeof Screen>;

/** The step of this name. */
export function stepNamed(name: string): Step | undefined {
  return steps.find((step) => step.name === name);
}

/** The page of a step, by the step's name. */
export async function pageOf(name: string): Promise<DrawScreen> {
  const found = table.find(({ step }) => step.name === name);
  if (found === undefined) throw new PosternError("server_error", "there is no such page", { detail: name });
  return found.page();
}

/** Every action of every step, by its name. One that several steps have is the same at each. */
export const actions: { readonly [name: string]: ActionDefinition } = Object.fromEntries(
  steps.flatMap((step) => Object.entries(step.actions)),
);
