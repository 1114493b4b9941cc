import * as z from "zod";

/**
 * The characters of user codes, and how the codes are displayed, for each `charset`. `base20` has no vowels, so that a
 * code is never a word, and no characters that look like others (RFC 8628 section 6.1). `minimum` characters make a code
 * hard to guess while it is valid.
 */
export const userCodeFormats = {
  base20: { alphabet: "BCDFGHJKLMNPQRSTVWXZ", mask: "****-****", minimum: 8 },
  digits: { alphabet: "0123456789", mask: "***-***-***", minimum: 9 },
} as const;

/** The character set of user codes. */
type UserCodeCharset = keyof typeof userCodeFormats;

/** The character set of user codes of a tenant that sets none. */
export const defaultUserCodeCharset = "base20" satisfies UserCodeCharset;

/** The settings of the device flow, as Auth0 names them. */
export const deviceFlowSchema = z
  .strictObject({
    charset: z.enum(["base20", "digits"]).meta({ description: "The characters of user codes. Default: `base20`, consonants" }),
    mask: z
      .string()
      .max(20)
      .regex(/^[* -]*$/, "must contain only *, - and spaces")
      .meta({
        description:
          "How user codes are displayed: each `*` is a character. At least 8 characters for `base20` (default `****-****`), and 9 for `digits` (default `***-***-***`)",
      }),
  })
  .exactPartial()
  .refine(({ charset = defaultUserCodeCharset, mask }) => mask === undefined || charactersIn(mask) >= userCodeFormats[charset].minimum, {
    path: ["mask"],
    error: "must have at least 8 * with the charset base20, and 9 with digits",
  });

/** Returns the number of characters of a code in a mask. */
export function charactersIn(mask: string): number {
  return mask.split("*").length - 1;
}
