import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The security page is to be checked against code and tests: what it names must be there. */

const docs = new URL("../docs/", import.meta.url);
const page = readFileSync(new URL("security.md", docs), "utf8");
const links = [...page.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
const named = [...page.matchAll(/\[test\]\(([^)]+)\): “([^”]+)”/g)].map(([, file = "", name = ""]) => [name, file] as const);

test.each([...new Set(links)])("%s is there", (target) => {
  expect(existsSync(new URL(target, docs))).toBe(true);
});

test.each(named)("the test '%s' is in %s", (name, file) => {
  const titles = [...readFileSync(new URL(file, docs), "utf8").matchAll(/\((["`])((?:(?!\1).)+)\1/g)].map(([, , title = ""]) => title);
  expect(titles.some((title) => title.includes(name))).toBe(true);
});

test("every defence names a test", () => {
  const defences = page
    .split("\n")
    .filter(
      (line) => line.startsWith("| ") && line.split(" | ").length === 4 && !line.startsWith("| attack") && !line.startsWith("| mistake"),
    );
  expect(defences.length).toBeGreaterThan(25);
  expect(defences.filter((line) => !line.includes("[test]("))).toEqual([]);
});
