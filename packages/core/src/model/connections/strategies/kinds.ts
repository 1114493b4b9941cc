import * as z from "zod";
import { defaultCodeLength, defaultCodeLifetime, shortestCode } from "./code-strength.ts";

/** Kinds of options that several strategies have. */

/** A flag. */
export const flagKind = z.boolean();
/** A map of strings. */
export const stringMap = z.record(z.string(), z.string());
/** A secret that authenticates Postern at a provider. It is sealed when stored and never shown. */
export const secretKind = z.string().max(10_000).nullable();
/** The URL of an image or of a provider's page, or empty. */
export const httpsUrlOrEmpty = z.union([z.literal(""), z.url({ protocol: /^https$/, error: "must be an https URL" }).max(255)]);
/** The digits of a one-time code, and the seconds until it expires, as stored. */
export const storedTotp = z.strictObject({ length: z.int().min(4).max(40), time_step: z.int().min(60) }).exactPartial();

/** The format of one-time codes in a request body. A format whose codes are easy to guess is rejected. */
export const totp = storedTotp.superRefine(({ length = defaultCodeLength, time_step: lifetime = defaultCodeLifetime }, context) => {
  const shortest = shortestCode(lifetime);
  if (length >= shortest) return;
  const message = `must be at least ${shortest} for codes that expire after ${lifetime} seconds: shorter ones can be guessed`;
  context.addIssue({ code: "custom", path: ["length"], message });
});

/** A string with a minimum and a maximum length. */
export function textKind(minimum: number, maximum: number) {
  return z.string().min(minimum).max(maximum);
}
