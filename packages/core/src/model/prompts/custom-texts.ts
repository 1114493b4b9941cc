import type { Row } from "../../store/schema.ts";
import type { MessageKey } from "../../locales/messages.ts";
import { CustomTexts } from "./bodies.ts";
import { pageTexts } from "./page-texts.ts";
import { knownPlaceholders, unknownPlaceholder } from "./placeholders.ts";

/** A tenant's texts for a page, by the keys of the built-in messages. */
export type CustomPageTexts = ReadonlyMap<MessageKey, string>;

/** Returns the texts of a tenant in one language that pages use, by page. An empty text is ignored. */
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

/**
 * Returns the fault in a prompt's texts: a placeholder that no page can fill. Texts that no page uses may contain any
 * placeholder.
 */
export function findTextFault(prompt: string, given: CustomTexts): string | undefined {
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
