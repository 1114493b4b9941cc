import * as z from "zod";
import { isPosternError, PosternError } from "../errors.ts";
import { parseInput } from "../http/validation.ts";
import { respondsWithPage } from "../authorization/authorization-request.ts";
import { sufficientSession, type Interaction } from "./interaction.ts";
import { changeProgress, saveProgress } from "./login-session.ts";
import { Progress } from "./progress.ts";
import type { AnyScreen, SignInState, Step, ActionResult } from "./step.ts";
import { Screen, stepNamed, steps } from "./steps.ts";

/** What an interaction comes to: something to ask, or its end. How the client is answered is the routes' to know. */
export type Outcome = { readonly interaction: Interaction } & (
  | {
      readonly kind: "screen";
      readonly screen: Screen;
      /** What is known of whoever is signed in well enough. */
      readonly settled: SignInState | undefined;
      /** Why the action that led here was not taken, for programs. */
      readonly refusal?: PosternError;
    }
  /** The browser goes on at an identity provider, which sends it back. */
  | { readonly kind: "leave"; readonly to: string }
  | { readonly kind: "done"; readonly settled: SignInState & Required<Pick<SignInState, "decided">> }
  /** The client is to be told. */
  | { readonly kind: "refused"; readonly error: PosternError }
);

/** What somebody sent. */
export interface Submission {
  /** The step whose form it is. Left out: the one that is due, or another that has the action. */
  readonly step?: string;
  readonly action: string;
  /** All that was sent; the action's own fields are read from it. */
  readonly fields: object;
  /** Names the form that was sent. */
  readonly rendering?: string | undefined;
  /** The form was shown to another person than is signed in now: another tab changed who that is. */
  readonly shownToAnother?: boolean;
}

/**
 * What comes next. One function for the pages, for the JSON flow API and for silent authentication, so that they cannot differ: the steps are asked in the order
 * of their table, and the first that has something to ask is due.
 */
export async function currentOutcome(interaction: Interaction): Promise<Outcome> {
  return orRefused(interaction, async () => {
    const { declined } = interaction.progress;
    if (declined !== undefined) throw new PosternError("access_denied", declined);
    const person = await sufficientSession(interaction);
    const hinted = interaction.request.hinted_user_id;
    if (person !== undefined && hinted !== undefined && hinted !== person.user.user_id) {
      // OpenID Connect Core section 3.1.2.1: no answer is good but one about the person that the hint names.
      throw new PosternError("login_required", "another person signed in than the one 'id_token_hint' names");
    }
    return firstDue(interaction, person);
  });
}

/** What the address of a step shows: the step, where it is due or can be gone back to; else what is due. */
export async function viewStep(interaction: Interaction, name: string): Promise<Outcome> {
  const outcome = await currentOutcome(interaction);
  const step = stepNamed(name);
  if (outcome.kind !== "screen" || step === undefined || outcome.screen.name === name) return outcome;
  const screen = await revisited(outcome, step);
  return screen === undefined ? outcome : { ...outcome, screen: shown(interaction, screen) };
}

/**
 * Takes an action. What does not fit what is asked changes nothing and leads to what is due: a stale page goes on where the interaction is,
 * and one that asked another person is shown again, to the one who is signed in now.
 * @throws {PosternError} `invalid_request` for fields that the action does not take.
 */
export async function submitAction(interaction: Interaction, sent: Submission): Promise<Outcome> {
  const due = await currentOutcome(interaction);
  if (due.kind !== "screen") return respondsWithPage(interaction.request) ? due : { ...due, interaction: await markAnswered(interaction) };
  const step = await offering(due, sent);
  const action = step?.actions[sent.action];
  if (step === undefined || action === undefined || (action.agrees === true && sent.shownToAnother === true)) return due;
  const fields = parseInput(z.object(action.fields), sent.fields, "body");
  // As the step was asked: for the organization, too, that wants its members to sign in by another connection.
  const asked = due.interaction;
  return orRefused(asked, async () => {
    const taken = await action.take(asked, fields, { rendering: sent.rendering, settled: due.settled });
    const [outcome] = await Promise.all([note(asked, step, taken), taken.recorded]);
    return outcome;
  });
}

/**
 * Goes on with what somebody brings from an identity provider.
 * @param run says what came of it. Undefined: nobody waited for it, and what is due is shown.
 */
export async function resumeFromProvider(
  interaction: Interaction,
  run: (asked: Interaction) => Promise<{ readonly interaction: Interaction; readonly taken: ActionResult } | undefined>,
): Promise<Outcome> {
  const due = await currentOutcome(interaction);
  if (due.kind !== "screen") return respondsWithPage(interaction.request) ? due : { ...due, interaction: await markAnswered(interaction) };
  return orRefused(due.interaction, async () => {
    const brought = await run(due.interaction);
    if (brought === undefined) return due;
    const { taken } = brought;
    const [outcome] = await Promise.all([note(brought.interaction, stepAfter(due, taken), taken), taken.recorded]);
    return outcome;
  });
}

/** Where it is said that a provider did not say who somebody is: where they were sent there from, or where they say who they are. */
function stepAfter({ screen }: Extract<Outcome, { kind: "screen" }>, { problem = "" }: ActionResult): Step {
  const found = [stepNamed(screen.name), stepNamed("identifier")].find(
    (step) => step !== undefined && Object.hasOwn(step.problems, problem),
  );
  const step = found ?? stepNamed(screen.name);
  if (step === undefined) throw new Error(`there is no step '${screen.name}'`);
  return step;
}

/** The step that an action is taken at: where it is due, where the person went back to it, and while nobody is signed in at every step that finds out who it is. */
async function offering(due: Extract<Outcome, { kind: "screen" }>, sent: Submission): Promise<Step | undefined> {
  const candidates = steps.filter(({ name, actions }) => (sent.step ?? name) === name && Object.hasOwn(actions, sent.action));
  for (const step of candidates.toSorted((a, b) => Number(b.name === due.screen.name) - Number(a.name === due.screen.name))) {
    const open = step.name === due.screen.name || (step.who === "anybody" && due.settled === undefined);
    if (open || (await revisited(due, step)) !== undefined) return step;
  }
  return undefined;
}

async function revisited({ interaction, settled }: Extract<Outcome, { kind: "screen" }>, step: Step): Promise<AnyScreen | undefined> {
  if (step.who === "anybody") return step.revisit?.(interaction, settled?.person);
  return settled && step.revisit?.(interaction, settled);
}

async function firstDue(interaction: Interaction, person: SignInState["person"] | undefined): Promise<Outcome> {
  let settled: SignInState | undefined = person && { person };
  for (const step of steps) {
    const due = step.who === "anybody" ? await step.due(interaction, person) : settled && (await step.due(interaction, settled));
    if (due === undefined) throw new Error(`the step '${step.name}' comes before anybody has signed in`);
    if (due.kind === "ask") return { kind: "screen", interaction, settled, screen: shown(interaction, due.screen) };
    if (due.kind === "sign-in") return firstDue(asMemberOf(interaction, due.organizationId), undefined);
    settled = settled && { ...settled, ...due.settled };
  }
  if (settled?.decided === undefined) throw new Error("the last step decides what the client gets");
  return { kind: "done", interaction, settled: { ...settled, decided: settled.decided } };
}

function asMemberOf(interaction: Interaction, organizationId: string): Interaction {
  return { ...interaction, progress: { ...interaction.progress, organization_id: organizationId } };
}

/** A screen that an action was refused at says why, until the next action. */
function shown({ progress: { problem } }: Interaction, screen: AnyScreen): Screen {
  const known = problem?.step === screen.name && Object.hasOwn(stepNamed(problem.step)?.problems ?? {}, problem.name);
  return Screen.parse(known ? { ...screen, problem: problem.name } : screen);
}

/** What no step leads on from is told to the client, as at `/authorize`. A fault is not. */
async function orRefused(interaction: Interaction, run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (thrown) {
    if (!isPosternError(thrown) || thrown.status >= 500) throw thrown;
    return { kind: "refused", interaction, error: thrown };
  }
}

/** Notes what came of an action, and says what comes next. Where others came first each time, the action counts for its own answer. */
async function note(
  interaction: Interaction,
  step: Step,
  { change, signedIn, leave, problem, unkept, refusal }: ActionResult,
): Promise<Outcome> {
  const noted = await changeProgress({ ...interaction, ...signedIn }, async (current) => {
    const { problem: _over, ...progress } = change?.(current.progress) ?? current.progress;
    const said = problem === undefined ? progress : { ...progress, problem: { step: step.name, name: problem, ...(unkept && { unkept }) } };
    const outcome = await currentOutcome({ ...current, progress: said });
    return { outcome, progress: asAnswered(outcome, said) };
  });
  const { outcome } = noted.change;
  const reached = { ...outcome, interaction: { ...outcome.interaction, ...(noted.saved && { login: noted.interaction.login }) } };
  if (noted.saved && leave !== undefined) return { kind: "leave", interaction: reached.interaction, to: leave };
  return reached.kind === "screen" && problem !== undefined ? { ...reached, refusal: refusal ?? refusalOf(step, problem) } : reached;
}

/** The progress with the time of the client's answer, where that is made now. */
function asAnswered({ kind, interaction: { tenant, request } }: Outcome, progress: Progress): Progress {
  const { answered_at = tenant.now() } = progress;
  return kind !== "screen" && !respondsWithPage(request) ? { ...progress, answered_at } : progress;
}

/** Notes that the client is answered now. Where another tab noted something meanwhile, that stands. */
export async function markAnswered(interaction: Interaction): Promise<Interaction> {
  const { tenant, login, progress } = interaction;
  if (login === undefined || progress.answered_at !== undefined) return interaction;
  const answered = { ...progress, answered_at: tenant.now() };
  const saved = await saveProgress(tenant, login, answered);
  return { ...interaction, login: saved ?? login, progress: answered };
}

/** A problem as programs are told of it. */
function refusalOf({ problems }: Step, name: string): PosternError {
  const [code, description] = problems[name]?.error ?? (["invalid_request", "the action was not taken"] as const);
  return new PosternError(code, description);
}
