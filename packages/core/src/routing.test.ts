import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { authRoutes } from "./auth/routes.ts";
import { partOf } from "./http/api.ts";
import { createUrls } from "./http/urls.ts";
import { managementRoutes } from "./management/routes.ts";
import { tenantOperations } from "./management/tenants/operations.ts";
import { tenants } from "./management/tenants/tenants.ts";
import { createRouting } from "./routing.ts";

const routing = createRouting(createUrls("https://id.example.test/"), { tenants: true, operations: true });

/** The files that are loaded with one, by its `import` and `export … from` statements that import more than types. */
function loadedWith(file: URL, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file.pathname)) return seen;
  seen.add(file.pathname);
  for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm)) {
    loadedWith(new URL(from, file), seen);
  }
  return seen;
}

// Asked for in tests: where core runs without files, the rest of these pass.
const index = (): URL => new URL("index.ts", import.meta.url);
const part = (name: string): URL => new URL(`auth/parts/${name}.ts`, import.meta.url);

test("a process starts without the routes of any part, and without pages", () => {
  const loaded = [...loadedWith(index())].map((path) => path.slice(path.indexOf("/core/src/") + "/core/src/".length));
  expect(loaded).toContain("routing.ts");
  expect(loaded.filter((path) => /^(management|login|mail)\/|^auth\/(?!client-authentication\.ts)/.test(path))).toEqual([]);
  expect(loaded.filter((path) => path.endsWith(".tsx"))).toEqual([]);
  // How each provider is spoken to, and what of a connection is lent.
  expect(loaded.filter((path) => path.startsWith("model/connections/strategies/"))).toEqual([]);
});

test("what clients read before anything else is loaded without the rest of the Auth API", () => {
  const before = loadedWith(index());
  const loaded = [...loadedWith(part("metadata"))].filter((path) => !before.has(path));
  expect(loaded.length).toBeLessThan(10);
});

test("a process that signs people in does so without the Management API", () => {
  for (const name of ["login", "tokens", "self-service"]) {
    expect([...loadedWith(part(name))].filter((path) => path.includes("/management/"))).toEqual([]);
  }
});

test("a password is taken without what writes mails, makes accounts, or speaks to identity providers", () => {
  const steps = ["identifier", "password"].map((name) => new URL(`login/steps/${name}/page.tsx`, import.meta.url));
  const loaded = [part("login"), part("tokens"), ...steps].flatMap((file) => [...loadedWith(file)]);
  const rare =
    /\/(mail\/(begin|deliver|write|liquid)|domain\/users\/(create-user|sign-up|link-\w+|bring-over)|strategies\/(oidc|oauth2|github)|in-process\/call|tenancy\/seed)\.tsx?$/;
  expect(loaded.filter((path) => rare.test(path))).toEqual([]);
});

test.each(
  [...authRoutes, ...managementRoutes, ...tenants, ...tenantOperations].map(({ definition }) => [definition.method, definition.path]),
)("%s %s is found in the part that its address says", async (method, path) => {
  const router = await routing(path);
  expect(router.find(method, path.replaceAll(/:\w+/g, "x")).entry.path).toBe(path);
});

test("an address of nobody's loads the smallest part", () => {
  for (const path of ["/", "/favicon.ico", "/wp-admin", "/users/1"]) expect(partOf(path)).toBe("metadata");
});

test("a process starts with the texts of one language", () => {
  const texts = [...loadedWith(index())].filter((path) => /\/locales\/(.+\/)?[a-z]{2}\.ts$/.test(path));
  expect(texts.map((path) => path.slice(path.indexOf("/locales/")))).toEqual(["/locales/en.ts"]);
});

test("a process starts without the list of common passwords", () => {
  const sources = [...loadedWith(index()), ...loadedWith(part("self-service"))].map((path) => readFileSync(path, "utf8"));
  expect(sources.filter((source) => source.includes('import("@zxcvbn-ts/language-common")'))).toHaveLength(1);
  expect(sources.filter((source) => source.includes('from "@zxcvbn-ts'))).toEqual([]);
});

test("a process starts without the certificate library and its polyfill", () => {
  const files = new Set([...loadedWith(index()), ...loadedWith(part("metadata")), ...loadedWith(part("tokens"))]);
  const sources = [...files].map((path) => readFileSync(path, "utf8"));
  for (const library of ["@peculiar/x509", "reflect-metadata"]) {
    expect(sources.filter((source) => new RegExp(`(await|return) import\\("${library}"\\)`).test(source))).toHaveLength(1);
    expect(sources.filter((source) => source.includes(`from "${library}"`) || source.includes(`import "${library}"`))).toEqual([]);
  }
});

test("the Management API is loaded once, with the first request for it", async () => {
  const [router, again] = await Promise.all([routing("/api/v2/users"), routing("/api/v2/clients")]);
  expect(again).toBe(router);
  expect(router.find("GET", "/api/v2/users").entry.path).toBe("/api/v2/users");
  expect(() => router.find("GET", "/userinfo")).toThrow("nothing");
  expect((await routing("/userinfo")).find("GET", "/userinfo").entry.path).toBe("/userinfo");
});
