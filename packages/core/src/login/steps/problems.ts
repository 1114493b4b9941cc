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

/** Reads what somebody typed to say who they are; undefined for nothing, and for more than the 320 characters that the longest key holds. */
export function readTyped(identifier: string): string | undefined {
  const typed = identifier.trim();
  return typed === "" || typed.length > 320 ? undefined : typed;
}
