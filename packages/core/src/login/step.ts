import * as z from "zod";
import type { Row } from "../store/schema.ts";
import type { ErrorCode, PosternError } from "../errors.ts";
import type { GrantDecision } from "../authorization/grant-decision.ts";
import type { MessageKey, Placeholders } from "../locales/messages.ts";
import type { Interaction, BrowserSession } from "./interaction.ts";
import { withoutParts, type LoginProgress, type ProgressPart } from "./progress.ts";

/** The names of texts that have no placeholder except the tenant's name or the right spelling of a phone number. */
export type ProblemText = { [Key in MessageKey]: Placeholders<Key> extends "tenant" | "number" ? Key : never }[MessageKey];

/** Why a step is shown again: the text for users, and the error for clients of the JSON flow API. */
export interface Problem {
  readonly text: ProblemText;
  /** The name of the field that the visitor must correct. Omitted if the problem is not in a field. */
  readonly field?: string;
  readonly error: readonly [code: ErrorCode, description: string];
  /** The name of another step that shows the problem, if it is the next one. It defines the same problem. */
  readonly leadsTo?: string;
  /** The right spelling of the rejected phone number, which the text contains. */
  readonly correction?: string;
}

/** Adds the right spelling of a phone number to a problem. */
export function withCorrection(problem: Problem | undefined, correction: string | undefined): Problem | undefined {
  return problem && { ...problem, ...(correction !== undefined && { correction }) };
}

/** The result of an action. */
export interface ActionResult {
  /**
   * The parts of the progress whose steps the user leaves with this action, or that the action makes void. The engine
   * drops them before `change`. A function, if they depend on what is stored then.
   */
  readonly leaves?: readonly ProgressPart[] | ((progress: LoginProgress) => readonly ProgressPart[]);
  /** Returns the changed progress. Omitted if the action adds nothing to the progress. */
  readonly change?: (progress: LoginProgress) => LoginProgress;
  /** The user who is signed in from now on, and the cookies for the new session. */
  readonly signedIn?: {
    readonly browser: BrowserSession;
    readonly cookies: readonly string[];
    /** The cookies, encrypted by `sealCookies`. Omitted: the engine encrypts them. */
    readonly sealedCookies?: string;
  };
  /** The URL that the browser is redirected to: at an identity provider during the login, or of the account page. */
  readonly redirectTo?: string;
  /** Why the step is shown again: the name of one of the step's problems. */
  readonly problem?: string;
  /** The codes of the rules that a rejected new password does not satisfy. */
  readonly unkept?: readonly string[];
  /** The right spelling of a rejected phone number. Only with the problem `phone-misspelled`. */
  readonly correction?: string;
  /** The error for clients of the JSON flow API, if it is more specific than the error in the problem. */
  readonly refusal?: PosternError;
  /** Pending writes, such as audit events. Await them before you send the response. */
  readonly recorded?: Promise<unknown>;
  /** Another submission of the same form was accepted (`submitted-form.ts`). This one gets its answer. */
  readonly isRepeated?: true;
}

/** Returns the progress after an action: without the parts that the user leaves, and with the changes of the action. */
export function progressAfter(progress: LoginProgress, { leaves = [], change }: Pick<ActionResult, "leaves" | "change">): LoginProgress {
  const parts = typeof leaves === "function" ? leaves(progress) : leaves;
  const rest = parts.length === 0 ? progress : withoutParts(progress, parts);
  return change?.(rest) ?? rest;
}

/** The definition of an action. The OpenAPI document describes it. */
export interface ActionDefinition<Fields extends z.ZodRawShape = z.ZodRawShape> {
  /** One line for the OpenAPI document. */
  readonly summary: string;
  readonly fields: Fields;
  /** The action gives consent. Only the user for whom the page was rendered can give it. */
  readonly isConsent?: true;
}

/** The context of a submitted action. */
export interface ActionContext {
  /** The rendering id in the token of the submitted form (`form-token.ts`). Undefined if no form was submitted. */
  readonly rendering: string | undefined;
  /** A fingerprint of the submitted form and its values. Undefined if no form was submitted. */
  readonly form: string | undefined;
  /**
   * Whether another submission of the form was accepted since the progress was read. Waits for up to two seconds for a
   * submission that is being handled. Call it only if another request has used the code or changed the account.
   */
  wasAccepted(): Promise<boolean>;
  /** The state of the signed-in user. Undefined if no session is sufficient for the request. */
  readonly settled: SignInState | undefined;
}

/** An action that a step offers. */
interface StepAction extends ActionDefinition {
  handle(interaction: Interaction, fields: object, context: ActionContext): Promise<ActionResult>;
}

/**
 * Declares an action. Returns a function that takes the handler: with two calls, TypeScript infers the types of the
 * handler's fields from the definition.
 */
export function action<const Fields extends z.ZodRawShape>(definition: ActionDefinition<Fields>) {
  return (
    handle: (
      interaction: Interaction,
      fields: z.output<z.ZodObject<Fields>>,
      context: ActionContext,
    ) => Promise<ActionResult> | ActionResult,
  ): StepAction => ({
    ...definition,
    // The engine has parsed the fields with the `fields` of the definition.
    handle: async (interaction, fields, context) => handle(interaction, fields as z.output<z.ZodObject<Fields>>, context),
  });
}

/**
 * The state of an interaction with a sufficient session. Each step can add members that later steps and the response
 * need.
 */
export interface SignInState {
  readonly person: BrowserSession;
  /** The organization that the user signs in to. */
  readonly organization?: Row<"organizations">;
  /** The scopes that the client will be granted. */
  readonly decided?: GrantDecision;
}

/** The decision of a step: whether it needs input, passes, or requires another sign-in. */
export type StepDecision<Screen> =
  | { readonly kind: "show"; readonly screen: Screen }
  | { readonly kind: "pass"; readonly settled?: Omit<Partial<SignInState>, "person"> }
  /** The user must sign in again, with a connection that is enabled for this organization. */
  | { readonly kind: "sign-in"; readonly organizationId: string };

/** The decision of a step that needs no input. */
export const passStep = { kind: "pass" } as const;

/** Returns the decision of a step that needs input: its screen. */
export function showScreen<Screen>(screen: Screen): StepDecision<Screen> {
  return { kind: "show", screen };
}

/** The name of the problem that a phone number is not written in international form. Its screen has a `correction`. */
export const phoneMisspelled = "phone-misspelled";

/** The definition that every step provides. */
interface StepDefinition<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> {
  /** The name of the step in URLs and in the API. */
  readonly name: Name;
  readonly summary: string;
  /** The fields of the screen. They contain no localized texts; the pages look up the texts themselves. */
  readonly screenFields: Shape;
  readonly problems: { readonly [P in ProblemName]: Problem };
  /**
   * The error for the client if this step needs input but the request has `prompt=none` (OpenID Connect Core section
   * 3.1.2.6).
   */
  readonly silentError: readonly [code: ErrorCode, description: string];
  readonly actions: { readonly [action: string]: StepAction };
}

/** The data of a step's screen. */
type ScreenOf<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> = z.output<z.ZodObject<Shape>> & {
  readonly name: Name;
  readonly problem?: ProblemName;
} & (typeof phoneMisspelled extends ProblemName ? { readonly correction?: string } : unknown);

/** The rules of a step that authenticates the visitor. Such a step can run without a sufficient session. */
interface SignInRules<Screen> {
  readonly requiresSession: false;
  /** @param session the browser's session, if it is sufficient for the request. */
  decide(interaction: Interaction, session: BrowserSession | undefined): Promise<StepDecision<Screen>>;
  /**
   * Returns the screen for a visitor who goes back to this step. If the method is omitted or returns undefined, the
   * current step is shown instead.
   */
  revisit?(interaction: Interaction, session: BrowserSession | undefined): Promise<Screen | undefined>;
}

/** The rules of a step that requires a sufficient session. */
interface SessionRules<Screen> {
  readonly requiresSession: true;
  decide(interaction: Interaction, settled: SignInState): Promise<StepDecision<Screen>>;
  revisit?(interaction: Interaction, settled: SignInState): Promise<Screen | undefined>;
}

/** A step of an interaction: its definition and its rules. */
export type Step<Screen extends AnyScreen = AnyScreen> = StepDefinition<string, z.ZodRawShape, string> & {
  readonly screen: ScreenSchema<Screen>;
} & (SignInRules<Screen> | SessionRules<Screen>);

/** The members that every screen has. */
export interface AnyScreen {
  readonly name: string;
  readonly problem?: string;
  readonly correction?: string;
}

/** The schema of a step's screen. Screens are distinguished by their `name`. */
type ScreenSchema<Screen> = z.ZodType<Screen> & z.core.$ZodTypeDiscriminable;

/** The definition of a step with the schema of its screen, but without its rules. */
type StepDescription<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> = StepDefinition<
  Name,
  Shape,
  ProblemName
> & { readonly screen: ScreenSchema<ScreenOf<Name, Shape, ProblemName>> };

/** Declares the screen, the problems and the actions of a step. */
export function describeStep<const Name extends string, const Shape extends z.ZodRawShape, const ProblemName extends string = never>(
  definition: StepDefinition<Name, Shape, ProblemName>,
): StepDescription<Name, Shape, ProblemName> {
  const problems = Object.keys(definition.problems);
  const actionNames = Object.keys(definition.actions).map((name) => `\`${name}\``);
  const schema = z
    .strictObject({
      name: z.literal(definition.name),
      ...definition.screenFields,
      ...(problems.length > 0 && {
        problem: z.enum(problems).exactOptional().meta({ description: "Why the last action was rejected. Present until the next action" }),
      }),
      ...(problems.includes(phoneMisspelled) && {
        correction: z
          .string()
          .exactOptional()
          .meta({ description: `If \`problem\` is \`${phoneMisspelled}\`: the right spelling of the phone number` }),
      }),
    })
    .meta({ id: componentName(definition.name, "Screen"), description: `${definition.summary}. Actions: ${actionNames.join(", ")}` });
  // The schema is built from the definition above. zod cannot infer its type for a generic shape.
  return { ...definition, screen: schema as unknown as ScreenSchema<ScreenOf<Name, Shape, ProblemName>> };
}

/**
 * Returns the name of the OpenAPI component for a step's screen or for an action: `SelectAccountScreen` for the step
 * `select-account`.
 */
export function componentName(name: string, kind: "Screen" | "Action"): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()) + kind;
}

/** Creates a step from its description and its rules. */
export function step<Screen extends AnyScreen>(
  description: StepDefinition<string, z.ZodRawShape, string> & { readonly screen: ScreenSchema<Screen> },
  // The screen type is inferred from the description alone. Without `NoInfer`, the types that the rules return would be
  // inferred as well.
  rules: SignInRules<NoInfer<Screen>> | SessionRules<NoInfer<Screen>>,
): Step<Screen> {
  return { ...description, ...rules };
}
