import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The index of the documentation for language models (https://llmstxt.org). It is generated from the README and from the
 * tables of `docs/index.md`.
 */
export const llmsFile = "llms.txt";

/** Returns the text of {@link llmsFile}. @throws if the README or the index lacks a required section. */
export function llms(): string {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, "..", path), "utf8");
  const readme = read("README.md");
  const about = readme.slice(readme.indexOf("\n") + 1).trim();
  const summary = about.slice(0, about.indexOf("\n\n")).replaceAll("\n", " ");
  return [
    "# Postern",
    `> ${summary}`,
    "Nothing has been released yet: run it in a clone with `npx pnpm@12 start`, and its tests with `npx pnpm@12 test`.",
    `## Packages\n\n${linesOf(readme, "## Packages")}`,
    `## Documentation\n\n${fromRoot(linesOf(read("docs/index.md"), "# Documentation"))}\n`,
  ].join("\n\n");
}

/** Returns the rows of the tables below a heading as a list. The section ends at the next heading of the second level. */
function linesOf(page: string, heading: string): string {
  const start = page.indexOf(`\n${heading}\n`);
  const end = page.indexOf("\n## ", start + 1);
  const rows = page.slice(start, end < 0 ? undefined : end).match(/^\| \[.*$/gm);
  if (start < 0 || rows === null) throw new Error(`the page has no table below '${heading}'`);
  return rows
    .map((row) => {
      const [links = "", text = ""] = row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim());
      return `- ${links}: ${text}`;
    })
    .join("\n");
}

/** Makes the links of a page in `docs/` relative to the root of the repository. */
const fromRoot = (text: string): string =>
  text.replaceAll(/\]\(([^)]+)\)/g, (_, link: string) => `](${link.startsWith("../") ? link.slice("../".length) : `docs/${link}`})`);
