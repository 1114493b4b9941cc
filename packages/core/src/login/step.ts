import * as z from "zod";
import type { Row } from "../store/schema.ts";
import type { ErrorCode, PosternError } from "../errors.ts";
import type { GrantDecision } from "../authorization/grant-decision.ts";
import type { MessageKey, Placeholders } from "../locales/messages.ts";
import type { Interaction, BrowserSession } from "./interaction.ts";
import type { LoginProgress } from "./progress.ts";

/** Texts without placeholders other than the tenant's name. */
export type ProblemText = { [Key in MessageKey]: Placeholders<Key> extends "tenant" ? Key : never }[MessageKey];

/** Why a step is shown again: the text for users, and the error for programs (spec section 7). */
export interface Problem {
  readonly text: ProblemText;
  /** The name of the field to correct. Omitted if no change of a field helps. */
  readonly field?: string;
  readonly error: readonly [code: ErrorCode, description: string];
}

/** The result of an action. */
export interface ActionResult {
  /** Changes the stored progress. Omitted if the action changes nothing. */
  readonly change?: (progress: LoginProgress) => LoginProgress;
  /** The user who is signed in from now on, and the cookies of the session. */
  readonly signedIn?: { readonly browser: BrowserSession; readonly cookies: readonly string[] };
  /** The URL of an identity provider that the browser is redirected to during the login. */
  readonly redirectTo?: string;
  /** Why the step is shown again: the name of one of its problems. */
  readonly problem?: string;
  /** The codes of the rules that a rejected new password does not satisfy. */
  readonly unkept?: readonly string[];
  /** The error for programs, if it is more specific than that of the problem. */
  readonly refusal?: PosternError;
  /** Pending writes, such as audit events. Await them before you send the response. */
  readonly recorded?: Promise<unknown>;
}

/** The definition of an action, as the documentation describes it. */
export interface ActionDefinition<Fields extends z.ZodRawShape = z.ZodRawShape> {
  /** One line for the documentation. */
  readonly summary: string;
  readonly fields: Fields;
  /** The action is a consent: only the user whom the page was shown to can give it. */
  readonly isConsent?: true;
}

/** The context in which an action is handled. */
export interface ActionContext {
  /** The id of the submitted form, if a form was submitted: see `form-token.ts`. */
  readonly rendering: string | undefined;
  /** The state of the signed-in user. Undefined if no session is sufficient for the request. */
  readonly settled: SignInState | undefined;
}

/** An action that a step offers. */
export interface StepAction extends ActionDefinition {
  handle(interaction: Interaction, fields: object, context: ActionContext): Promise<ActionResult>;
}

/**
 * Declares an action. The handler is passed in a separate call, so that its fields have the types of the definition.
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
    // The engine passes the fields after `fields` parsed them.
    handle: async (interaction, fields, context) => handle(interaction, fields as z.output<z.ZodObject<Fields>>, context),
  });
}

/**
 * The state of an interaction with a sufficient session. Each step can add to it for later steps and for the response.
 */
export interface SignInState {
  readonly person: BrowserSession;
  /** The organization that the user signs in to. */
  readonly organization?: Row<"organizations">;
  /** The grant that the client would get. */
  readonly decided?: GrantDecision;
}

/** Whether a step needs input. */
export type StepDecision<Screen> =
  | { readonly kind: "show"; readonly screen: Screen }
  | { readonly kind: "pass"; readonly settled?: Omit<Partial<SignInState>, "person"> }
  /** The user must sign in again, by a connection of this organization. */
  | { readonly kind: "sign-in"; readonly organizationId: string };

/** The step needs no input. */
export const passStep = { kind: "pass" } as const;

/** Shows a screen that requests input. */
export function showScreen<Screen>(screen: Screen): StepDecision<Screen> {
  return { kind: "show", screen };
}

/** The definition that every step provides. */
export interface StepDefinition<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> {
  /** The name of the step in URLs and in the API. */
  readonly name: Name;
  readonly summary: string;
  /** The fields of the screen. They contain no localized texts: the pages look up the texts by the names here. */
  readonly screenFields: Shape;
  readonly problems: { readonly [P in ProblemName]: Problem };
  /** The error of silent authentication if this step is the current one (OpenID Connect Core section 3.1.2.6). */
  readonly silentError: readonly [code: ErrorCode, description: string];
  readonly actions: { readonly [action: string]: StepAction };
}

/** The data of a step's screen. */
export type ScreenOf<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> = z.output<z.ZodObject<Shape>> & {
  readonly name: Name;
  readonly problem?: ProblemName;
};

/** The rules of a step that authenticates the visitor. It runs before a session is sufficient. */
interface SignInRules<Screen> {
  readonly requiresSession: false;
  /** @param session the sufficient session, if there is one. */
  decide(interaction: Interaction, session: BrowserSession | undefined): Promise<StepDecision<Screen>>;
  /**
   * Returns the screen for a visitor who goes back to the step. Omitted or undefined: the current step is shown
   * instead.
   */
  revisit?(interaction: Interaction, session: BrowserSession | undefined): Promise<Screen | undefined>;
}

/** The rules of a step that requires a sufficient session. */
interface SessionRules<Screen> {
  readonly requiresSession: true;
  decide(interaction: Interaction, settled: SignInState): Promise<StepDecision<Screen>>;
  revisit?(interaction: Interaction, settled: SignInState): Promise<Screen | undefined>;
}

/** A step of an interaction, as the engine runs it. */
export type Step<Screen extends AnyScreen = AnyScreen> = StepDefinition<string, z.ZodRawShape, string> & {
  readonly screen: ScreenSchema<Screen>;
} & (SignInRules<Screen> | SessionRules<Screen>);

/** The members that every screen has. */
export interface AnyScreen {
  readonly name: string;
  readonly problem?: string;
}

/** The schema of a step's screen. The name discriminates screens. */
export type ScreenSchema<Screen> = z.ZodType<Screen> & z.core.$ZodTypeDiscriminable;

/** The description of a step, without its rules. */
export type StepDescription<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> = StepDefinition<
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
    })
    .meta({ id: componentName(definition.name, "Screen"), description: `${definition.summary}. Actions: ${actionNames.join(", ")}` });
  // The schema is built from the definition above. zod cannot infer that for a generic shape.
  return { ...definition, screen: schema as unknown as ScreenSchema<ScreenOf<Name, Shape, ProblemName>> };
}

/**
 * Returns the component name of a step or an action in the OpenAPI document: the screen of `select-account` is
 * `SelectAccountScreen`.
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
