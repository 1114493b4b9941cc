import { readFileSync } from "node:fs";
import { join } from "node:path";
import { floors } from "../lint/floors.ts";

/** The page that lists the folders of core. */
export const contributingFile = "CONTRIBUTING.md";

const [begin, end] = ["<!-- folders of core: generated -->", "<!-- end of folders -->"];

/**
 * Returns CONTRIBUTING.md with the folder table of `lint/floors.ts`.
 * @throws {Error} if the page lacks the comments that enclose the table.
 */
export function contributing(): string {
  const text = readFileSync(join(import.meta.dirname, "..", contributingFile), "utf8");
  const [before, rest = ""] = text.split(begin);
  const [, after] = rest.split(end);
  if (before === undefined || after === undefined) throw new Error(`${contributingFile} lacks the comments that enclose the folder table`);
  const rows = Object.entries(floors).map(([name, { holds }]) => `| \`${name.endsWith(".ts") ? name : `${name}/`}\` | ${holds} |`);
  return `${before}${begin}\n\n| folder | holds |\n|---|---|\n${rows.join("\n")}\n\n${end}${after}`;
}
