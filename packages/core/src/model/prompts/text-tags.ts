import { textLanguageSchema } from "./names.ts";

/**
 * Returns the languages whose texts a page uses. A language with a region comes after its base language, because later
 * texts override earlier texts.
 */
export function textTags(tag: string): readonly string[] {
  const parts = tag.split("-");
  return parts.map((_, index) => parts.slice(0, index + 1).join("-")).filter((each) => textLanguageSchema.safeParse(each).success);
}
