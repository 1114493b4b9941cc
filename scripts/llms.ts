import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where programs that read documentation find it (https://llmstxt.org): made of the README, which says the same to people. */
export const llmsFile = "llms.txt";

/** The text of {@link llmsFile}. @throws where the README has not the parts that it is made of. */
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

/** The rows of the table in a section, as a list. */
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
