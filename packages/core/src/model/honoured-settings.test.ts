import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { optionsBody } from "./connections/options.ts";
import { settings, shownBy } from "./honoured-settings.ts";

const source = join(import.meta.dirname, "..");

/** The names in a file's code; comments say nothing about what is done. */
function namesIn(file: string): ReadonlySet<string> {
  const code = readFileSync(join(source, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  return new Set(code.match(/\w+/g));
}

describe.each(settings)("each setting that is shown of: $record", ({ schema, facts, honoured }) => {
  const shown = shownBy(schema);
  const isFact = (path: string): boolean => facts.some((fact) => path === fact || path.startsWith(`${fact}.`));

  test("is honoured, or marked as kept for the vendor's tools, or no setting", () => {
    const unmarked = shown.filter(({ path, kept }) => !kept && !isFact(path)).map(({ path }) => path);
    expect(unmarked.toSorted()).toEqual(Object.keys(honoured).toSorted());
  });

  test.each(Object.entries(honoured))("%s is gone by in %s", (path, file) => {
    const [name = ""] = path.split(".").slice(-1);
    const names = namesIn(file);
    expect(names.has(name) || names.has(`${name}_in_minutes`)).toBe(true);
  });
});

test.each(["samlp", "twitter"])("nothing goes by options of the strategy %s yet", (strategy) => {
  expect(shownBy(optionsBody(strategy))).toEqual([{ path: "", kept: true }]);
});
