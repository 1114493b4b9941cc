import * as z from "zod";
import { isPosternError, PosternError } from "../errors.ts";
import { parseInput } from "../http/validation.ts";
import { respondsWithPage } from "../authorization/authorization-request.ts";
import { sufficientSession, type BrowserSession, type Interaction } from "./interaction.ts";
import { missingFactor } from "./missing-factor.ts";
import { changeProgress, saveProgress, withNewestProgress } from "./login-session.ts";
import { problemProgress, withoutParts, type LoginProgress } from "./progress.ts";
import { progressAfter, type AnyScreen, type SignInState, type Step, type ActionResult } from "./step.ts";
import { acceptedForm, dropOwnSession, fingerprintOf, isAccepted, repeatForm, wasAccepted } from "./submitted-form.ts";
import { screenSchema, type Screen, stepNamed, steps } from "./steps.ts";

/**
 * The outcome of an interaction: a screen that needs input, a redirect to an identity provider, or the end of the
 * interaction. The routes build the HTTP response from it.
 */
export type Outcome = { readonly interaction: Interaction } & (
  | {
      readonly kind: "screen";
      readonly screen: Screen;
      /** The state of the signed-in user. Undefined if no session is sufficient for the request. */
      readonly settled: SignInState | undefined;
      /** Why the last action was rejected: the error for clients of the JSON flow API. */
      readonly refusal?: PosternError;
    }
  /** The browser is redirected to an identity provider, and returns later, or to the account page. */
  | { readonly kind: "leave"; readonly to: string }
  | { readonly kind: "done"; readonly settled: SignInState & Required<Pick<SignInState, "decided">> }
  /** The interaction ends with an error, which the client receives. */
  | { readonly kind: "refused"; readonly error: PosternError }
);

/** A submitted form or API request. */
interface Submission {
  /**
   * The name of the step that the form belongs to. Default: the current step if it has the action, otherwise another
   * step that has it.
   */
  readonly step?: string;
  readonly action: string;
  /** All submitted fields. Only the fields that the action defines are parsed. */
  readonly fields: object;
  /** The id of the rendering that the submitted form comes from. */
  readonly rendering?: string | undefined;
  /**
   * Whether the form was rendered for a different user than the one who is signed in now. That happens if the user
   * signs in with another account in another tab.
   */
  readonly shownToAnother?: boolean;
}

/**
 * Returns the current outcome of an interaction. The pages, the JSON flow API and silent authentication all use this
 * function, so they always agree on the outcome. Steps run in the order of the `steps` table. The first step that needs
 * input becomes the current step.
 */
export async function currentOutcome(interaction: Interaction): Promise<Outcome> {
  return orRefused(interaction, async () => {
    const { declined } = interaction.progress;
    if (declined !== undefined) throw new PosternError("access_denied", declined);
    const session = await sufficientSession(interaction);
    const hinted = interaction.request.hinted_user_id;
    if (session !== undefined && hinted !== undefined && hinted !== session.user.user_id) {
      // OpenID Connect Core section 3.1.2.1: a successful response must be about the user whom `id_token_hint` names.
      throw new PosternError("login_required", "the user who signed in is not the user that 'id_token_hint' names");
    }
    const missing = await missingFactor(interaction, session);
    if (missing === "sign-in-again") return runSteps({ ...interaction, needsRecentSignIn: true }, undefined);
    // Without the factor, no step may treat the user as signed in.
    return runSteps({ ...interaction, missingFactor: missing }, missing === undefined ? session : undefined);
  });
}

/**
 * Returns the outcome for the URL of a step: the screen of that step if the step is current or can be revisited,
 * otherwise the current outcome.
 */
export async function viewStep(interaction: Interaction, name: string): Promise<Outcome> {
  const outcome = await currentOutcome(interaction);
  const step = stepNamed(name);
  if (outcome.kind !== "screen" || step === undefined || outcome.screen.name === name) return outcome;
  const screen = await revisitedScreen(outcome, step);
  return screen === undefined ? outcome : { ...outcome, screen: withProblem(interaction, screen) };
}

/**
 * Handles a submitted action. If the action is not available now, changes nothing and returns the current outcome. The
 * same applies to a consent from a page that was rendered for a different user: the user who is signed in now is asked
 * again.
 * @throws {PosternError} `invalid_request` if a field does not match the action's definition.
 */
export async function submitAction(interaction: Interaction, sent: Submission): Promise<Outcome> {
  const form = await fingerprintOf(interaction, sent);
  const repeated = await repeatForm(interaction, form);
  if (repeated !== undefined) return currentOutcome(repeated);
  const current = await currentOutcome(interaction);
  if (current.kind !== "screen")
    return respondsWithPage(interaction.request) ? current : { ...current, interaction: await markAnswered(interaction) };
  const step = await stepFor(current, sent);
  const action = step?.actions[sent.action];
  if (step === undefined || action === undefined || (action.isConsent === true && sent.shownToAnother === true)) return current;
  const fields = await parseInput(z.object(action.fields), sent.fields, "body");
  // Use the interaction in the current outcome: it may contain an organization that requires another connection.
  const { interaction: currentInteraction, settled } = current;
  return orRefused(currentInteraction, async () => {
    const result = await action.handle(currentInteraction, fields, {
      rendering: sent.rendering,
      form,
      settled,
      wasAccepted: () => wasAccepted(interaction, form),
    });
    if (result.isRepeated) return repeatedOutcome(await withNewestProgress(currentInteraction), form);
    const [outcome] = await Promise.all([storeResult(currentInteraction, step, result, form), result.recorded]);
    return outcome;
  });
}

/**
 * Continues an interaction after a callback from an identity provider.
 * @param run handles the callback. If it returns undefined, because the login session contains no such attempt, the
 * current outcome is returned.
 */
export async function resumeFromProvider(
  interaction: Interaction,
  run: (interaction: Interaction) => Promise<{ readonly interaction: Interaction; readonly result: ActionResult } | undefined>,
): Promise<Outcome> {
  const current = await currentOutcome(interaction);
  if (current.kind !== "screen")
    return respondsWithPage(interaction.request) ? current : { ...current, interaction: await markAnswered(interaction) };
  return orRefused(current.interaction, async () => {
    const handled = await run(current.interaction);
    if (handled === undefined) return current;
    const { result } = handled;
    const [outcome] = await Promise.all([storeResult(handled.interaction, stepForProblem(current, result), result), result.recorded]);
    return outcome;
  });
}

/**
 * Returns the step that reports a failed sign-in at an identity provider: the current step if it defines this problem,
 * otherwise the identifier step.
 */
function stepForProblem({ screen }: Extract<Outcome, { kind: "screen" }>, { problem = "" }: ActionResult): Step {
  const found = [stepNamed(screen.name), stepNamed("identifier")].find(
    (step) => step !== undefined && Object.hasOwn(step.problems, problem),
  );
  const step = found ?? stepNamed(screen.name);
  if (step === undefined) throw new Error(`there is no step '${screen.name}'`);
  return step;
}

/**
 * Returns the step that handles an action: the current step, or a step that can be revisited. If no session is
 * sufficient yet, it can also be any step that authenticates the visitor.
 */
async function stepFor(current: Extract<Outcome, { kind: "screen" }>, sent: Submission): Promise<Step | undefined> {
  const candidates = steps.filter(({ name, actions }) => (sent.step ?? name) === name && Object.hasOwn(actions, sent.action));
  for (const step of candidates.toSorted((a, b) => Number(b.name === current.screen.name) - Number(a.name === current.screen.name))) {
    const isAvailable = step.name === current.screen.name || (!step.requiresSession && current.settled === undefined);
    if (isAvailable || (await revisitedScreen(current, step)) !== undefined) return step;
  }
  return undefined;
}

/**
 * Returns the screen of a step that the visitor goes back to. Returns undefined if the step cannot be revisited now.
 */
async function revisitedScreen({ interaction, settled }: Extract<Outcome, { kind: "screen" }>, step: Step): Promise<AnyScreen | undefined> {
  if (!step.requiresSession) return step.revisit?.(interaction, settled?.person);
  return settled && step.revisit?.(interaction, settled);
}

/** Runs the steps in order until one needs input. */
async function runSteps(interaction: Interaction, session: BrowserSession | undefined): Promise<Outcome> {
  let settled: SignInState | undefined = session && { person: session };
  for (const step of steps) {
    const decision = step.requiresSession ? settled && (await step.decide(interaction, settled)) : await step.decide(interaction, session);
    if (decision === undefined) throw new Error(`the step '${step.name}' requires a session`);
    if (decision.kind === "show") return { kind: "screen", interaction, settled, screen: withProblem(interaction, decision.screen) };
    if (decision.kind === "sign-in") return runSteps(withOrganization(interaction, decision.organizationId), undefined);
    settled = settled && { ...settled, ...decision.settled };
  }
  if (settled?.decided === undefined) throw new Error("no step decided the grant");
  return { kind: "done", interaction, settled: { ...settled, decided: settled.decided } };
}

function withOrganization(interaction: Interaction, organizationId: string): Interaction {
  return { ...interaction, progress: { ...interaction.progress, organization_id: organizationId } };
}

/**
 * Adds the problem with the last action to the screen, if the screen belongs to the step that rejected the action, or to
 * the step that the problem led to. Returns the parsed screen.
 */
function withProblem({ progress: { problem } }: Interaction, screen: AnyScreen): Screen {
  const isKnown = problem !== undefined && Object.hasOwn(stepNamed(screen.name)?.problems ?? {}, problem.name);
  const isShown = isKnown && [problem.step, stepNamed(problem.step)?.problems[problem.name]?.leadsTo].includes(screen.name);
  if (!isShown) return screenSchema.parse(screen);
  const { name, correction } = problem;
  return screenSchema.parse({ ...screen, problem: name, ...(correction !== undefined && { correction }) });
}

/**
 * Turns a `PosternError` with a status below 500 into a `refused` outcome, which sends the error to the client like
 * `/authorize` does. Rethrows all other errors.
 */
async function orRefused(interaction: Interaction, run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (thrown) {
    if (!isPosternError(thrown) || thrown.status >= 500) throw thrown;
    return { kind: "refused", interaction, error: thrown };
  }
}

/** Returns the outcome after a parallel submission of the form was accepted. */
async function repeatedOutcome(interaction: Interaction, form: string | undefined): Promise<Outcome> {
  return currentOutcome((await repeatForm(interaction, form)) ?? interaction);
}

/**
 * Stores the result of an action and returns the next outcome. If every attempt to store the result loses a race
 * against other actions, the result has an effect on this response only.
 * @param form the fingerprint of the submitted form. It is stored if the form was accepted.
 */
async function storeResult(interaction: Interaction, step: Step, result: ActionResult, form?: string): Promise<Outcome> {
  const { signedIn, redirectTo, problem, unkept, correction, refusal } = result;
  const isFinal = form !== undefined && problem === undefined && redirectTo === undefined;
  const submitted = isFinal ? await acceptedForm(interaction, form, signedIn) : undefined;
  const stored = await changeProgress<{ readonly outcome?: Outcome; readonly progress?: LoginProgress }>(
    { ...interaction, ...signedIn },
    async (current) => {
      if (isFinal && isAccepted(current, form)) return {};
      const progress = progressAfter(withoutParts(current.progress, [problemProgress]), result);
      const details = { ...(unkept && { unkept }), ...(correction !== undefined && { correction }) };
      const next = {
        ...progress,
        ...(problem !== undefined && { problem: { step: step.name, name: problem, ...details } }),
        ...(submitted && { submitted }),
      };
      const outcome = await currentOutcome({ ...current, progress: next });
      return { outcome, progress: withAnswerTime(outcome, next) };
    },
  );
  const { outcome } = stored.change;
  if (outcome === undefined) {
    await dropOwnSession(stored.interaction, signedIn);
    return repeatedOutcome({ ...stored.interaction, browser: interaction.browser, cookies: interaction.cookies }, form);
  }
  const final = { ...outcome, interaction: { ...outcome.interaction, ...(stored.saved && { login: stored.interaction.login }) } };
  if (stored.saved && redirectTo !== undefined) return { kind: "leave", interaction: final.interaction, to: redirectTo };
  return final.kind === "screen" && problem !== undefined ? { ...final, refusal: refusal ?? refusalOf(step, problem) } : final;
}

/**
 * If this outcome sends the authorization response to the client, returns the progress with the current time as
 * `answered_at`. Otherwise returns the progress unchanged.
 */
function withAnswerTime({ kind, interaction: { tenant, request } }: Outcome, progress: LoginProgress): LoginProgress {
  const { answered_at = tenant.now() } = progress;
  return kind !== "screen" && !respondsWithPage(request) ? { ...progress, answered_at } : progress;
}

/**
 * Stores that the client receives its response now. If another tab has changed the login session first, nothing is
 * stored.
 */
export async function markAnswered(interaction: Interaction): Promise<Interaction> {
  const { tenant, login, progress } = interaction;
  if (login === undefined || progress.answered_at !== undefined) return interaction;
  const answeredProgress = { ...progress, answered_at: tenant.now() };
  const saved = await saveProgress(tenant, login, answeredProgress);
  return { ...interaction, login: saved ?? login, progress: answeredProgress };
}

/** Returns the error that clients of the JSON flow API receive for a problem. */
function refusalOf({ problems }: Step, name: string): PosternError {
  const [code, description] = problems[name]?.error ?? (["invalid_request", "the action was rejected"] as const);
  return new PosternError(code, description);
}
