import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The security pages name the code and a test of each defence. These tests check that both exist. */

const docs = new URL("../docs/", import.meta.url);
const pages = readdirSync(docs).filter((name) => /^security.*\.md$/.test(name));
const text = pages.map((name) => readFileSync(new URL(name, docs), "utf8")).join("\n");
const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);
const named = [...text.matchAll(/\[test\]\(([^)]+)\): “([^”]+)”/g)].map(([, file = "", name = ""]) => [name, file] as const);

test.each([...new Set(links)])("the linked file %s exists", (target) => {
  expect(existsSync(new URL(target, docs))).toBe(true);
});

test.each(named)("the test '%s' is in %s", (name, file) => {
  const titles = [...readFileSync(new URL(file, docs), "utf8").matchAll(/\(\s*(["`])((?:(?!\1).)+)\1/g)].map(([, , title = ""]) => title);
  expect(titles.some((title) => title.includes(name))).toBe(true);
});

test("every defence names a test", () => {
  const defences = text
    .split("\n")
    .filter(
      (line) => line.startsWith("| ") && line.split(" | ").length === 4 && !line.startsWith("| attack") && !line.startsWith("| mistake"),
    );
  expect(defences.length).toBeGreaterThan(130);
  expect(defences.filter((line) => !line.includes("[test]("))).toEqual([]);
});
