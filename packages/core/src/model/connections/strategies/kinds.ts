import * as z from "zod";
import { defaultCodeLength, defaultCodeLifetime, shortestCode } from "./code-strength.ts";

/** Kinds of options that several strategies have. */

/** A switch. */
export const flag = z.boolean();
/** Names with texts. */
export const stringMap = z.record(z.string(), z.string());
/** A secret of ours at a provider. Stored sealed, never shown. */
export const secret = z.string().max(10_000).nullable();
/** The address of a picture, or of a page of a provider. */
export const httpsUrlOrEmpty = z.union([z.literal(""), z.url({ protocol: /^https$/, error: "must be an https URL" }).max(255)]);
/** The digits of a one-time code, and the seconds until it expires, as stored. */
export const storedTotp = z.strictObject({ length: z.int().min(4).max(40), time_step: z.int().min(60) }).exactPartial();

/** The same in a request body: a code that can be guessed is refused. */
export const totp = storedTotp.superRefine(({ length = defaultCodeLength, time_step: lifetime = defaultCodeLifetime }, context) => {
  const shortest = shortestCode(lifetime);
  if (length >= shortest) return;
  const message = `must be at least ${shortest} for codes that expire after ${lifetime} seconds: shorter ones can be guessed`;
  context.addIssue({ code: "custom", path: ["length"], message });
});

/** A text of so many characters. */
export function text(minimum: number, maximum: number) {
  return z.string().min(minimum).max(maximum);
}
