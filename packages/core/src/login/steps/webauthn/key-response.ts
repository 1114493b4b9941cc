import * as z from "zod";
import type { Problem } from "../../step.ts";

/** The maximum length of an authenticator's response as JSON: its members are at most some 17,000 characters. */
const maximumLength = 24_000;

/** The field of an action that submits the result of `navigator.credentials.create()` or `get()`. */
export const keyResponseField = z
  .string()
  .max(maximumLength)
  .exactOptional()
  .meta({ description: "The result of the browser's WebAuthn call as JSON: the text of `JSON.stringify(credential)`" });

/** The response of a passkey or security key is missing, or was rejected. */
export const keyRejected: Problem = {
  text: "webauthnFailed",
  error: ["invalid_grant", "the response of the authenticator was rejected. Request new options before retrying"],
};

/** Parses a {@link keyResponseField}. Returns undefined, which every verification rejects, if the text is not JSON. */
export function parseKeyResponse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
