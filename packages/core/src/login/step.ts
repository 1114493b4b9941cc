import * as z from "zod";
import type { Row } from "../store/schema.ts";
import type { ErrorCode, PosternError } from "../errors.ts";
import type { GrantDecision } from "../authorization/grant-decision.ts";
import type { MessageKey, Placeholders } from "../locales/messages.ts";
import type { Interaction, BrowserSession } from "./interaction.ts";
import type { Progress } from "./progress.ts";

/** The texts that hold no other name than the tenant's. */
export type ProblemText = { [Key in MessageKey]: Placeholders<Key> extends "tenant" ? Key : never }[MessageKey];

/** Why a step is shown again: what people read, and what programs are told (spec section 7). */
export interface Problem {
  readonly text: ProblemText;
  /** The name of the field that must be filled in otherwise. Left out: none would help. */
  readonly field?: string;
  readonly error: readonly [code: ErrorCode, description: string];
}

/** What came of an action. */
export interface ActionResult {
  /** What is noted of it. Left out: nothing happened. */
  readonly change?: (progress: Progress) => Progress;
  /** Who is signed in from now on, and the cookies that say so. */
  readonly signedIn?: { readonly browser: BrowserSession; readonly cookies: readonly string[] };
  /** Where the browser is sent in the middle of the login: to an identity provider, which sends it back. */
  readonly leave?: string;
  /** Why the step is shown again, by the name of one of its problems. */
  readonly problem?: string;
  /** The rules that a new password which was tried does not keep to, by their codes. */
  readonly unkept?: readonly string[];
  /** What a program is told in place of the problem, where that says more. */
  readonly refusal?: PosternError;
  /** What is being put on record. Nothing is answered before it is. */
  readonly recorded?: Promise<unknown>;
}

/** An action, as documents describe it. */
export interface ActionDefinition<Fields extends z.ZodRawShape = z.ZodRawShape> {
  /** One line for the documents. */
  readonly summary: string;
  readonly fields: Fields;
  /** Something that only the person whom the page was shown to can say yes to. */
  readonly agrees?: true;
}

/** Where an action is taken. */
export interface TakenAt {
  /** Names the form that was sent, if one was: see `form-token.ts`. */
  readonly rendering: string | undefined;
  /** What is known of whoever is signed in well enough. */
  readonly settled: SignInState | undefined;
}

/** What a person can do at a step. */
export interface Action extends ActionDefinition {
  take(interaction: Interaction, fields: object, at: TakenAt): Promise<ActionResult>;
}

/** Declares an action. The handler is a call of its own, so that its fields have the types of the definition. */
export function action<const Fields extends z.ZodRawShape>(definition: ActionDefinition<Fields>) {
  return (
    take: (interaction: Interaction, fields: z.output<z.ZodObject<Fields>>, at: TakenAt) => Promise<ActionResult> | ActionResult,
  ): Action => ({
    ...definition,
    // The engine calls it with what `fields` parsed.
    take: async (interaction, fields, at) => take(interaction, fields as z.output<z.ZodObject<Fields>>, at),
  });
}

/** What is known once a person is signed in well enough. Each step may add to it, for those that follow and for the answer. */
export interface SignInState {
  readonly person: BrowserSession;
  /** As a member of which organization. */
  readonly organization?: Row<"organizations">;
  /** What the client would get. */
  readonly decided?: GrantDecision;
}

/** Whether a step has something to ask. */
export type StepDecision<Screen> =
  | { readonly kind: "ask"; readonly screen: Screen }
  | { readonly kind: "pass"; readonly settled?: Omit<Partial<SignInState>, "person"> }
  /** They must sign in again, by a connection of this organization. */
  | { readonly kind: "sign-in"; readonly organizationId: string };

/** Nothing to ask. */
export const pass = { kind: "pass" } as const;

/** Asks something. */
export function showScreen<Screen>(screen: Screen): StepDecision<Screen> {
  return { kind: "ask", screen };
}

/** What every step says of itself. */
export interface StepDefinition<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> {
  /** As addresses and programs name it. */
  readonly name: Name;
  /** One line for the documents. */
  readonly summary: string;
  /** What its screen shows, as data. Texts that depend on the person's language are not in it; the pages find them by the names here. */
  readonly shows: Shape;
  readonly problems: { readonly [P in ProblemName]: Problem };
  /** What silent authentication is told where this step is due (OpenID Connect Core section 3.1.2.6). */
  readonly silentError: readonly [code: ErrorCode, description: string];
  readonly actions: { readonly [action: string]: Action };
}

/** What a step shows. */
export type ScreenOf<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> = z.output<z.ZodObject<Shape>> & {
  readonly name: Name;
  readonly problem?: ProblemName;
};

/** The rules of a step that finds out who somebody is. It comes before anybody is signed in well enough. */
interface SignInRules<Screen> {
  readonly who: "anybody";
  /** @param person who is signed in well enough. */
  due(interaction: Interaction, person: BrowserSession | undefined): Promise<StepDecision<Screen>>;
  /** What it shows to somebody who went back to it. Left out, or undefined: it leads on to what is due. */
  revisit?(interaction: Interaction, person: BrowserSession | undefined): Promise<Screen | undefined>;
}

/** The rules of a step that asks somebody who is signed in. */
interface PersonRules<Screen> {
  readonly who: "person";
  due(interaction: Interaction, settled: SignInState): Promise<StepDecision<Screen>>;
  revisit?(interaction: Interaction, settled: SignInState): Promise<Screen | undefined>;
}

/** A step of an interaction, as the engine takes it. */
export type Step<Screen extends AnyScreen = AnyScreen> = StepDefinition<string, z.ZodRawShape, string> & {
  readonly screen: ScreenSchema<Screen>;
} & (SignInRules<Screen> | PersonRules<Screen>);

/** What any screen has. */
export interface AnyScreen {
  readonly name: string;
  readonly problem?: string;
}

/** The schema of a step's screen. Screens are told apart by their names. */
export type ScreenSchema<Screen> = z.ZodType<Screen> & z.core.$ZodTypeDiscriminable;

/** What a step is, apart from its rules. */
export type Described<Name extends string, Shape extends z.ZodRawShape, ProblemName extends string> = StepDefinition<
  Name,
  Shape,
  ProblemName
> & { readonly screen: ScreenSchema<ScreenOf<Name, Shape, ProblemName>> };

/** Declares what a step shows and takes. */
export function describeStep<const Name extends string, const Shape extends z.ZodRawShape, const ProblemName extends string = never>(
  definition: StepDefinition<Name, Shape, ProblemName>,
): Described<Name, Shape, ProblemName> {
  const problems = Object.keys(definition.problems);
  const taken = Object.keys(definition.actions).map((name) => `\`${name}\``);
  const schema = z
    .strictObject({
      name: z.literal(definition.name),
      ...definition.shows,
      ...(problems.length > 0 && {
        problem: z.enum(problems).exactOptional().meta({ description: "Why the last action was not taken. Stays until the next one" }),
      }),
    })
    .meta({ id: componentName(definition.name, "Screen"), description: `${definition.summary}. Takes ${taken.join(", ")}` });
  // Built from the definition just above: zod cannot say so of a shape that is not known here.
  return { ...definition, screen: schema as unknown as ScreenSchema<ScreenOf<Name, Shape, ProblemName>> };
}

/** How the OpenAPI document names what belongs to a step or an action: `select-account` is the `SelectAccountScreen`. */
export function componentName(name: string, kind: "Screen" | "Action"): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()) + kind;
}

/** Makes a step of its description and its rules. */
export function step<Screen extends AnyScreen>(
  description: StepDefinition<string, z.ZodRawShape, string> & { readonly screen: ScreenSchema<Screen> },
  // What the rules ask with may hold less than the description says.
  rules: SignInRules<NoInfer<Screen>> | PersonRules<NoInfer<Screen>>,
): Step<Screen> {
  return { ...description, ...rules };
}
