import type { Problem } from "../step.ts";

/** Problems that several steps have. */

/** Nobody was named, or by more than any account can be known by. */
export const identifierMissing: Problem = {
  text: "identifierMissing",
  field: "identifier",
  error: ["invalid_request", "body: 'identifier' is missing"],
};

/** No password was typed. */
export const passwordMissing: Problem = {
  text: "passwordMissing",
  field: "password",
  error: ["invalid_request", "body: 'password' is missing"],
};

/** No further code is sent for now. */
export const tooManyCodes: Problem = {
  text: "codesTooMany",
  error: ["TOO_MANY_REQUESTS", "Too many codes were asked for. Use the last one, or try again later."],
};

/** One of the host's actions wants no account to be made. */
export const accountRefused: Problem = { text: "noAccountHere", error: ["access_denied", "The account cannot be made."] };

/** Reads what somebody typed to say who they are; undefined for nothing, and for more than the 320 characters that the longest key holds. */
export function readTyped(identifier: string): string | undefined {
  const typed = identifier.trim();
  return typed === "" || typed.length > 320 ? undefined : typed;
}
