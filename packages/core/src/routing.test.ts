import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createUrls } from "./http/urls.ts";
import { createRouting } from "./routing.ts";

/** The files that are loaded with one, by its `import` and `export … from` statements that import more than types. */
function loadedWith(file: URL, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file.pathname)) return seen;
  seen.add(file.pathname);
  for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm)) {
    loadedWith(new URL(from, file), seen);
  }
  return seen;
}

test("a process that signs people in starts without the Management API", () => {
  const loaded = [...loadedWith(new URL("index.ts", import.meta.url))];
  expect(loaded.filter((path) => path.endsWith("/auth/token.ts"))).toHaveLength(1);
  expect(loaded.filter((path) => path.includes("/management/"))).toEqual([]);
});

test("a process starts with the texts of one language", () => {
  const texts = [...loadedWith(new URL("index.ts", import.meta.url))].filter((path) => /\/locales\/(.+\/)?[a-z]{2}\.ts$/.test(path));
  expect(texts.map((path) => path.slice(path.indexOf("/locales/")))).toEqual(["/locales/en.ts"]);
});

test("a process starts without the list of common passwords", () => {
  const sources = [...loadedWith(new URL("index.ts", import.meta.url))].map((path) => readFileSync(path, "utf8"));
  expect(sources.filter((source) => source.includes('import("@zxcvbn-ts/language-common")'))).toHaveLength(1);
  expect(sources.filter((source) => source.includes('from "@zxcvbn-ts'))).toEqual([]);
});

test("the Management API is loaded once, with the first request for it", async () => {
  const routing = createRouting(createUrls("https://id.example.test/"), { tenants: true, operations: true });
  const [router, again] = await Promise.all([routing("/api/v2/users"), routing("/api/v2/clients")]);
  expect(again).toBe(router);
  expect(router.find("GET", "/api/v2/users").entry.path).toBe("/api/v2/users");
  expect(() => router.find("GET", "/userinfo")).toThrow("nothing");
  expect((await routing("/userinfo")).find("GET", "/userinfo").entry.path).toBe("/userinfo");
});
