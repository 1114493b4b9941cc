import * as z from "zod";

/** Kinds of options that several strategies have. */

/** A switch. */
export const flag = z.boolean();
/** Names with texts. */
export const stringMap = z.record(z.string(), z.string());
/** A secret of ours at a provider. Stored sealed, never shown. */
export const secret = z.string().max(10_000).nullable();
/** The address of a picture, or of a page of a provider. */
export const httpsUrlOrEmpty = z.union([z.literal(""), z.url({ protocol: /^https$/, error: "must be an https URL" }).max(255)]);
/** How long a one-time code is, and for how many seconds it counts. */
export const totp = z.strictObject({ length: z.int().min(4).max(40), time_step: z.int().min(60) }).exactPartial();

/** A text of so many characters. */
export function text(minimum: number, maximum: number) {
  return z.string().min(minimum).max(maximum);
}
