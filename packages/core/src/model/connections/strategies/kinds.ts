import * as z from "zod";
import { webUrl } from "../../fields.ts";
import { defaultCodeLength, defaultCodeLifetime, shortestCode } from "./code-strength.ts";

/** Schemas of options that several strategies have. */

/** The schema of a flag. */
export const flagKind = z.boolean();
/** When a login updates the profile of the user from the profile at the identity provider. */
export const profileUpdateKind = z.enum(["on_each_login", "on_first_login", "never_on_login"]);
/** The schema of a map of strings. */
export const stringMap = z.record(z.string(), z.string());
/**
 * The schema of a secret with which Postern authenticates to a provider. The secret is stored encrypted and never
 * returned.
 */
export const secretKind = z.string().max(10_000);
/** The schema of the URL of an image or of a provider's page. It may be empty. */
export const httpsUrlOrEmpty = z.union([z.literal(""), webUrl("https", 255)]);
/** The stored format of one-time codes: the number of digits, and the seconds until a code expires. */
export const storedTotp = z.strictObject({ length: z.int().min(4).max(40), time_step: z.int().min(60) }).exactPartial();

/** The format of one-time codes in a request body. Formats whose codes are easy to guess are rejected. */
export const totp = storedTotp.superRefine(({ length = defaultCodeLength, time_step: lifetime = defaultCodeLifetime }, context) => {
  const shortest = shortestCode(lifetime);
  if (length >= shortest) return;
  const message = `must be at least ${shortest} for codes that expire after ${lifetime} seconds, because shorter codes can be guessed`;
  context.addIssue({ code: "custom", path: ["length"], message });
});

/** Returns the schema of a string with a minimum and a maximum length. */
export function textKind(minimum: number, maximum: number) {
  return z.string().min(minimum).max(maximum);
}
