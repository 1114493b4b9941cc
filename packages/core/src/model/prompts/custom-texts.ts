import type { Row } from "../../store/schema.ts";
import type { MessageKey } from "../../locales/messages.ts";
import { CustomTexts } from "./bodies.ts";
import { pageTexts } from "./page-texts.ts";
import { knownPlaceholders, unknownPlaceholder } from "./placeholders.ts";

/** A tenant's own words for a page, by the names of ours. */
export type CustomPageTexts = ReadonlyMap<MessageKey, string>;

/** What pages use of a tenant's texts in one language, by page. An empty text stands for ours. */
export function customPageTexts(rows: readonly Pick<Row<"custom_texts">, "prompt" | "texts">[]): ReadonlyMap<string, CustomPageTexts> {
  const found = new Map<string, Map<MessageKey, string>>();
  const given = new Map(rows.map(({ prompt, texts }) => [prompt, CustomTexts.safeParse(texts).data ?? {}]));
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

/** What is wrong with a prompt's texts: a placeholder that no page could fill. What no page uses may hold any. */
export function faultOfTexts(prompt: string, given: CustomTexts): string | undefined {
  for (const { screen, texts } of pageTexts.filter((each) => each.prompt === prompt)) {
    const own = Object.hasOwn(given, screen) ? (given[screen] ?? {}) : {};
    for (const [key, ours] of Object.entries(texts)) {
      const unknown = Object.hasOwn(own, key) ? unknownPlaceholder(own[key] ?? "", ours) : undefined;
      if (unknown === undefined) continue;
      const known = knownPlaceholders(ours).map((name) => `\${${name}}`);
      return `'${screen}.${key}': \${${unknown}} means nothing here; known are ${known.join(", ")}`;
    }
  }
  return undefined;
}
