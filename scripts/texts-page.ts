import { en } from "../packages/core/src/locales/en.ts";
import { pageTexts, type ScreenTexts } from "../packages/core/src/model/prompts/page-texts.ts";
import { knownPlaceholders } from "../packages/core/src/model/prompts/placeholders.ts";

/** The placeholders of every text. */
const anywhere = knownPlaceholders([]);

function placeholdersText(names: readonly string[]): string {
  return names.map((name) => `\`\${${name}}\``).join(", ");
}

/** Which of the vendor's texts the pages show. */
export function textsPage(): string {
  const sections = [...Map.groupBy(pageTexts, ({ prompt, screen }) => `\`${prompt}\`, screen \`${screen}\``)];
  return `${[
    "<!-- Made by `npx pnpm@12 reference` from the table of texts: do not edit. -->",
    "# Texts of a tenant's own",
    "`PUT /api/v2/prompts/{prompt}/custom-text/{language}` takes `{ screen: { key: text } }`. The texts below are shown on the next page; all others are kept and returned, and do nothing.\n" +
      "A page shows the texts of its language: in `pt-BR` those of `pt-BR`, then those of `pt`. An empty text means the pages' own. Where two texts stand for the same words of a page, the later one of this list is shown.",
    "Texts are text: whatever stands in them is escaped. One has at most 2,000 characters. A placeholder that none of its pages could fill is refused with 400; where a page does not know one " +
      `(nobody came from a client, say), it says its own words. Any text may hold ${placeholdersText(anywhere)}; what else, is in the last column.`,
    ...sections.map(([heading, screens]) => section(heading, screens)),
  ].join("\n\n")}\n`;
}

function section(heading: string, screens: readonly ScreenTexts[]): string {
  const rows = screens.flatMap(({ pages, texts }) =>
    Object.entries(texts).map(([key, ours]) => {
      const words = ours.map((name) => en[name]).join(" / ");
      const placeholders = placeholdersText(knownPlaceholders(ours).filter((name) => !anywhere.includes(name)));
      return `| \`${key}\` | ${pages.join(", ")} | ${words} | ${placeholders} |`;
    }),
  );
  return [`## Prompt ${heading}`, "", "| key | page | our words | also |", "|---|---|---|---|", ...rows].join("\n");
}
