import type * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { MessageKey } from "../../locales/messages.ts";
import { customTextsSchema } from "./bodies.ts";
import { pageTexts } from "./page-texts.ts";
import { knownPlaceholders, unknownPlaceholder } from "./placeholders.ts";

/** The custom texts of a tenant for a page, by the keys of the built-in messages. */
export type CustomPageTexts = ReadonlyMap<MessageKey, string>;

/**
 * Returns the custom texts of a tenant in one language, by page. Texts that no page uses and empty texts are omitted.
 */
export function customPageTexts(rows: readonly Pick<Row<"custom_texts">, "prompt" | "texts">[]): ReadonlyMap<string, CustomPageTexts> {
  const found = new Map<string, Map<MessageKey, string>>();
  const given = new Map(rows.map(({ prompt, texts }) => [prompt, customTextsSchema.safeParse(texts).data ?? {}]));
  for (const { prompt, screen, pages, texts } of pageTexts) {
    const own = given.get(prompt)?.[screen] ?? {};
    for (const [key, ours] of Object.entries(texts)) {
      const text = Object.hasOwn(own, key) ? own[key] : undefined;
      if (text === undefined || text.trim() === "") continue;
      for (const page of pages) {
        const texts = found.get(page) ?? new Map<MessageKey, string>();
        for (const name of ours) texts.set(name, text);
        found.set(page, texts);
      }
    }
  }
  return found;
}

/**
 * Returns the error in a prompt's texts, or undefined if they are valid. A text must not contain a placeholder for
 * which the page has no value. Texts that no page uses may contain any placeholder.
 */
export function findTextFault(prompt: string, given: z.infer<typeof customTextsSchema>): string | undefined {
  for (const { screen, texts } of pageTexts.filter((each) => each.prompt === prompt)) {
    const own = Object.hasOwn(given, screen) ? (given[screen] ?? {}) : {};
    for (const [key, ours] of Object.entries(texts)) {
      const unknown = Object.hasOwn(own, key) ? unknownPlaceholder(own[key] ?? "", ours) : undefined;
      if (unknown === undefined) continue;
      const known = knownPlaceholders(ours).map((name) => `\${${name}}`);
      return `'${screen}.${key}': \${${unknown}} is not available here; use ${known.join(", ")}`;
    }
  }
  return undefined;
}
