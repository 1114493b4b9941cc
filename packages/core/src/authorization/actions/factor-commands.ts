import * as z from "zod";
import type { ActionFactor, PostLoginApi } from "../../adapters/actions.ts";
import { storedDemandSchema } from "../../identity/factors/stored-demand.ts";
import { apiFactorTypeSchema, type ApiFactorType, type FactorType, fromApiFactorType } from "../../model/factors/factor-types.ts";

/** The maximum number of times that the actions of one login can require factors, as in Auth0. */
const maxCommands = 4;

/** The maximum number of custom authentication methods that the actions of one login can record. */
const maxRecorded = 5;

/** A factor that an action requires, before the factors that the user cannot use are removed. */
const factorCommandSchema = z.object({
  action: storedDemandSchema.shape.action,
  /** The required types, preferred first. Omitted: any factor. */
  types: z.array(apiFactorTypeSchema).readonly().exactOptional(),
  allowsTrustedBrowser: z.boolean(),
});

export type FactorCommand = z.infer<typeof factorCommandSchema>;

/** The decisions of a login's actions about authentication. This is a schema, because it is stored with the login as JSON. */
export const authenticationCommandsSchema = z.object({
  /** How many times actions required factors with `api.authentication`. */
  count: z.int(),
  /** The factor to require after all actions have run. */
  atEnd: factorCommandSchema.exactOptional(),
  /** The URLs of custom authentication methods. */
  recorded: z.array(z.string()).readonly(),
});

export type AuthenticationCommands = z.infer<typeof authenticationCommandsSchema>;

/** The commands before any action has run. */
export const noCommands: AuthenticationCommands = { count: 0, recorded: [] };

/** The commands of a login so far, and those of the action that is running. */
export interface CollectedCommands {
  all: AuthenticationCommands;
  /** The factors that the running action requires. */
  pending: FactorCommand[];
}

/** Returns the methods with which an action requires factors. */
export function authenticationApi(
  collected: CollectedCommands,
  trigger: "onExecutePostLogin" | "onContinuePostLogin",
): Pick<PostLoginApi, "authentication" | "multifactor"> {
  const require = (action: "challenge" | "enroll", factors: readonly ActionFactor[]): void => {
    if (!Array.isArray(factors) || factors.length === 0) throw new TypeError("at least one factor is required");
    const types = factors.map(typeOf);
    if (action === "enroll" && types.includes("email")) throw new TypeError("users cannot add the factor 'email'");
    if (collected.all.count >= maxCommands) throw new TypeError(`the actions of a login can require factors ${maxCommands} times`);
    collected.all = { ...collected.all, count: collected.all.count + 1 };
    collected.pending.push({ action, types: [...new Set(types)], allowsTrustedBrowser: false });
  };
  return {
    multifactor: {
      enable: (provider, { allowRememberBrowser = false } = {}) => {
        const types = typesOfProvider(provider);
        const atEnd: FactorCommand = { action: "either", ...(types && { types }), allowsTrustedBrowser: allowRememberBrowser === true };
        collected.all = { ...collected.all, atEnd };
      },
    },
    authentication: {
      challengeWith: (factor, { additionalFactors = [] } = {}) => require("challenge", [factor, ...additionalFactors]),
      challengeWithAny: (factors) => require("challenge", factors),
      enrollWith: (factor, { additionalFactors = [] } = {}) => require("enroll", [factor, ...additionalFactors]),
      enrollWithAny: (factors) => require("enroll", factors),
      recordMethod: (url) => {
        if (trigger !== "onContinuePostLogin") throw new TypeError("recordMethod requires onContinuePostLogin");
        const recorded = [...new Set([...collected.all.recorded, methodOf(url)])];
        if (recorded.length > maxRecorded) throw new TypeError(`the actions of a login can record ${maxRecorded} methods`);
        collected.all = { ...collected.all, recorded };
      },
    },
  };
}

function typesOfProvider(provider: unknown): readonly ApiFactorType[] | undefined {
  if (provider === "any" || provider === "guardian") return undefined;
  if (provider === "google-authenticator") return ["otp"];
  throw new TypeError("the provider of multifactor.enable must be 'any', 'guardian' or 'google-authenticator'");
}

function typeOf(factor: ActionFactor): ApiFactorType {
  const type = apiFactorTypeSchema.safeParse(factor?.type);
  if (!type.success) throw new TypeError(`'${String(factor?.type)}' is not a type of a factor`);
  return type.data;
}

/** Validates the URL of an authentication method. A URL cannot be mistaken for the name of a real method. */
function methodOf(url: string): string {
  const parsed = typeof url === "string" && url.length <= 300 && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "https:" && parsed?.protocol !== "http:") throw new TypeError("recordMethod requires an https or http URL");
  return url;
}

/** Returns the stored types of a command. Factors that Postern does not support are omitted. */
export function storedTypes({ types }: FactorCommand): readonly FactorType[] | undefined {
  return types?.flatMap((type) => fromApiFactorType(type) ?? []);
}
