import { textLanguages } from "./names.ts";

/** The languages whose texts a page in a language shows: its own after those that it is a region of, so that the later ones count. */
export function textTags(tag: string): readonly string[] {
  const parts = tag.split("-");
  return parts.map((_, index) => parts.slice(0, index + 1).join("-")).filter((each) => textLanguages.has(each));
}
