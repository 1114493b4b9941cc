import * as z from "zod";
import type { Row } from "../store/schema.ts";
import { passwordRules, type PasswordFault } from "../identity/passwords/policy.ts";
import type { PasswordRule } from "../identity/passwords/strength.ts";
import { databaseOptions } from "../model/connections/strategies/database-options.ts";
import type { LoginProgress } from "./progress.ts";
import type { Problem, ActionResult } from "./step.ts";
import { passwordMissing } from "./steps/problems.ts";

/**
 * Shared by the steps that request a new password. The problems of such a step include {@link newPasswordProblems}, its
 * screen contains `rules`, and its action returns {@link refusedPassword} for a rejected password.
 */

/**
 * A rule for new passwords. In `message`, `%d` and `%s` stand for the values in `format`. `items` lists the kinds of
 * characters that the rule counts.
 */
export interface NewPasswordRule {
  readonly code: string;
  readonly message: string;
  readonly format?: readonly (string | number)[];
  /** Whether the rejected password satisfies the rule. Omitted if no password was rejected. */
  readonly verified?: boolean;
  readonly items?: readonly NewPasswordRule[];
}

export const newPasswordRuleSchema: z.ZodType<NewPasswordRule> = z
  .strictObject({
    code: z.string().meta({ description: "The code of the rule" }),
    message: z.string().meta({ description: "The rule in English. `%d` and `%s` stand for the values in `format`" }),
    format: z
      .array(z.union([z.string(), z.number()]))
      .readonly()
      .exactOptional()
      .meta({ description: "The values of `message`, in order" }),
    verified: z
      .boolean()
      .exactOptional()
      .meta({ description: "Whether the rejected password satisfies the rule. Omitted if no password was rejected" }),
    items: z
      .lazy(() => z.array(newPasswordRuleSchema).readonly())
      .exactOptional()
      .meta({ description: "The kinds of characters that the rule counts" }),
  })
  .meta({ id: "PasswordRule", description: "A rule for new passwords" });

/** The problems that a step with a new password can have. */
export const newPasswordProblems = {
  "password-missing": passwordMissing,
  "password-too-weak": { text: "passwordTooWeak", field: "password", error: ["invalid_request", "body: 'password' is too weak"] },
  "password-too-common": { text: "passwordTooCommon", field: "password", error: ["invalid_request", "body: 'password' is too common"] },
  "password-personal": {
    text: "passwordPersonal",
    field: "password",
    error: ["invalid_request", "body: 'password' contains the user's name or email address"],
  },
  "password-former": { text: "passwordFormer", field: "password", error: ["invalid_request", "body: 'password' was used before"] },
  "password-leaked": {
    text: "passwordLeaked",
    field: "password",
    error: ["invalid_request", "body: 'password' was found in a data breach"],
  },
  "password-frozen": {
    text: "passwordFrozen",
    error: ["access_denied", "The password cannot be changed for 24 hours, because the user reported a change of their account."],
  },
} as const satisfies { readonly [name: string]: Problem };

const problemOf: { readonly [Fault in PasswordFault["name"]]: keyof typeof newPasswordProblems } = {
  PasswordStrengthError: "password-too-weak",
  PasswordDictionaryError: "password-too-common",
  PasswordNoUserInfoError: "password-personal",
  PasswordHistoryError: "password-former",
  PasswordLeakedError: "password-leaked",
};

/**
 * Returns the result of an action that rejects a new password. It contains the codes of the rules that the password
 * does not satisfy, but not the password.
 */
export function refusedPassword(fault: PasswordFault): ActionResult & { readonly problem: string } {
  const { name, description } = fault;
  const rules = typeof description === "string" ? [] : description.rules;
  return { problem: problemOf[name], unkept: rules.flatMap(unkeptOf) };
}

function unkeptOf({ code, verified, items = [] }: PasswordRule): readonly string[] {
  return [...(verified ? [] : [code]), ...items.flatMap(unkeptOf)];
}

/**
 * Returns a connection's password rules for the screen of a step. If that step just rejected a password, each rule says
 * whether the password satisfies it.
 */
export function rulesFor(connection: Row<"connections">, step: string, { problem }: LoginProgress): readonly NewPasswordRule[] {
  return rulesWithResults(passwordRules("", databaseOptions(connection)), problem?.step === step ? problem.unkept : undefined);
}

/**
 * @param unkept the codes of the rules that the rejected password does not satisfy. Omitted if no password was
 * rejected.
 */
export function rulesWithResults(rules: readonly PasswordRule[], unkept?: readonly string[]): readonly NewPasswordRule[] {
  return rules.map(({ verified: _, items, ...rule }) => ({
    ...rule,
    ...(unkept && { verified: !unkept.includes(rule.code) }),
    ...(items && { items: rulesWithResults(items, unkept) }),
  }));
}
