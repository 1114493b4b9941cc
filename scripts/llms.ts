import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The index of the documentation for language models (https://llmstxt.org). It is generated from the README. */
export const llmsFile = "llms.txt";

/** Returns the text of {@link llmsFile}. @throws if the README lacks a required section. */
export function llms(): string {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const about = readme.slice(readme.indexOf("\n") + 1).trim();
  const summary = about.slice(0, about.indexOf("\n\n")).replaceAll("\n", " ");
  return [
    "# Postern",
    `> ${summary}`,
    "Nothing has been released yet: run it in a clone with `npx pnpm@12 start`, and its tests with `npx pnpm@12 test`.",
    `## Packages\n\n${linesOf(readme, "Packages")}`,
    `## Documentation\n\n${linesOf(readme, "Read on")}\n`,
  ].join("\n\n");
}

/** Returns the rows of the table in a section as a list. */
function linesOf(readme: string, section: string): string {
  const start = readme.indexOf(`\n## ${section}\n`);
  const end = readme.indexOf("\n## ", start + 1);
  const rows = readme.slice(start, end).match(/^\| \[.*$/gm);
  if (start < 0 || rows === null) throw new Error(`README.md has no table '${section}'`);
  return rows
    .map((row) => {
      const [links = "", text = ""] = row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim());
      return `- ${links}: ${text}`;
    })
    .join("\n");
}
