import * as z from "zod";
import type { Action } from "../adapters/actions.ts";
import {
  functionOption,
  documented,
  isPlainObject,
  number,
  textOption,
  unusable,
  type Parsed,
  type OptionShape,
} from "./option-schemas.ts";

const page = "docs/actions.md#write-an-action";

const functions = {
  onExecutePostLogin: functionOption<NonNullable<Action["onExecutePostLogin"]>>(page).optional(),
  onContinuePostLogin: functionOption<NonNullable<Action["onContinuePostLogin"]>>(page).optional(),
  onExecutePreUserRegistration: functionOption<NonNullable<Action["onExecutePreUserRegistration"]>>(page).optional(),
  onExecutePostUserRegistration: functionOption<NonNullable<Action["onExecutePostUserRegistration"]>>(page).optional(),
  onExecuteCredentialsExchange: functionOption<NonNullable<Action["onExecuteCredentialsExchange"]>>(page).optional(),
  onExecutePostChallenge: functionOption<NonNullable<Action["onExecutePostChallenge"]>>(page).optional(),
  onExecutePreUserUpdate: functionOption<NonNullable<Action["onExecutePreUserUpdate"]>>(page).optional(),
  onExecutePostChangePassword: functionOption<NonNullable<Action["onExecutePostChangePassword"]>>(page).optional(),
  onExecuteSendPhoneMessage: functionOption<NonNullable<Action["onExecuteSendPhoneMessage"]>>(page).optional(),
};

const functionNames = Object.keys(functions);

const members = {
  name: textOption("text that is not empty", page).optional(),
  secrets: documented(
    z.custom<NonNullable<Action["secrets"]>>(
      (value) => isPlainObject(value) && Object.values(value).every((secret) => typeof secret === "string"),
    ),
    { expected: "an object of texts by name", page, isSecret: true },
  ).optional(),
  timeoutSeconds: number("a number of seconds above 0 and at most 60", page, (value) => value > 0 && value <= 60).optional(),
  ...functions,
} satisfies OptionShape<Action>;

/**
 * The schema of an action. Other members are allowed, because a module may export more than its action. Unknown names
 * that start with `on` and a capital letter are rejected, because such a function would never be called.
 */
export const actionSchema: z.ZodType<Parsed<Action>, Parsed<Action>> = documented(
  z.looseObject(members).check(({ value, issues }) => {
    const uncalled = Object.keys(value).filter((name) => /^on[A-Z]/.test(name) && !functionNames.includes(name));
    if (uncalled.length > 0) issues.push({ code: "unrecognized_keys", keys: uncalled, input: value });
    else if (!functionNames.some((name) => value[name] !== undefined))
      issues.push(unusable(value, `it has none of the functions ${functionNames.join(", ")}`));
  }),
  { expected: "an object with functions such as onExecutePostLogin()", page },
);
