import { mfaTexts } from "../../model/sdk-texts.ts";
import { invalidInput } from "../../http/validation.ts";
import type { MisspelledPhone } from "../../model/phone-number.ts";
import { phoneMisspelled, type ActionResult, type Problem } from "../step.ts";

/** Problems that several steps share. */

/** The identifier is empty, or longer than any identifier of an account. */
export const identifierMissing: Problem = {
  text: "identifierMissing",
  field: "identifier",
  error: ["invalid_request", "body: 'identifier' is missing"],
};

export const passwordMissing: Problem = {
  text: "passwordMissing",
  field: "password",
  error: ["invalid_request", "body: 'password' is missing"],
};

/** The problem of a field whose phone number is not written in international form. */
export function phoneMisspelledIn(field: string): { readonly [phoneMisspelled]: Problem } {
  const error = ["invalid_request", `body: '${field}' must be a phone number in international form`] as const;
  return { [phoneMisspelled]: { text: "phoneMisspelled", field, error } };
}

/** Rejects a phone number that is not written in international form. */
export function rejectMisspelled(field: string, { fault, correction }: MisspelledPhone): ActionResult {
  return { problem: phoneMisspelled, correction, refusal: invalidInput("body", `'${field}' ${fault}`) };
}

/** No further code is sent, because too many codes were requested. */
export const tooManyCodesProblem: Problem = {
  text: "codesTooMany",
  error: ["TOO_MANY_REQUESTS", "Too many codes were requested. Use the last one, or try again later."],
};

/** The user was adding a first factor, but another one was added first. They must pass it now. */
export const alreadyEnrolledProblem: Problem = {
  text: "factorAddedElsewhere",
  error: ["access_denied", mfaTexts.alreadyEnrolled],
  leadsTo: "factor",
};

/** One of the host's actions denied the creation of the account. */
export const accountRefused: Problem = { text: "noAccountHere", error: ["access_denied", "The account cannot be created."] };

/** Another account has the username. */
export const usernameTaken: Problem = { text: "usernameTaken", field: "username", error: ["conflict", "the username is taken"] };

/**
 * Reads the identifier that the visitor entered. Returns undefined if it is empty, or longer than the 320 characters of
 * the longest identifier.
 */
export function readTyped(identifier: string): string | undefined {
  const typed = identifier.trim();
  return typed === "" || typed.length > 320 ? undefined : typed;
}
