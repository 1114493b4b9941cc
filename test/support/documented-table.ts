import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the cells of the rows of the first table below a heading of a Markdown file. @param file below the repository. */
export function tableOf(file: string, heading: string): readonly (readonly string[])[] {
  const text = readFileSync(join(import.meta.dirname, "../..", file), "utf8");
  const start = text.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`${file} has no '${heading}'`);
  const [table = ""] = /^\|[^]*?(?=\n[^|])/m.exec(text.slice(start)) ?? [];
  const [, , ...rows] = table.split("\n");
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
