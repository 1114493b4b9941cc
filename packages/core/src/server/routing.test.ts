import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { authRoutes } from "./auth-routes.ts";
import { createUrls } from "../http/urls.ts";
import { managementRoutes } from "../management/routes.ts";
import { tenantOperationRoutes } from "../management/tenants/operations.ts";
import { tenantRoutes } from "../management/tenants/tenants.ts";
import { authApi } from "./apis.ts";
import { createRouting } from "./routing.ts";

const routing = createRouting(createUrls("https://id.example.test/"), { tenants: true, operations: true });

/**
 * Returns the files that are loaded with core, through `import` and `export … from` statements that import more than
 * types.
 */
function loadedAtStart(file = new URL("../index.ts", import.meta.url), seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file.pathname)) return seen;
  seen.add(file.pathname);
  for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm)) {
    loadedAtStart(new URL(from, file), seen);
  }
  return seen;
}

test("core does not load the Management API, the lifecycle of tenants, OpenAPI documents, seeding, sweeping or the doctor at start", () => {
  const loaded = [...loadedAtStart()].map((path) => path.slice(path.indexOf("/core/src/") + "/core/src/".length));
  expect(loaded).toContain("oauth/routes.ts");
  const late = [
    "management/",
    "operations/in-process/call.ts",
    "operations/seed/apply-seed.ts",
    "operations/sweep/",
    "setup/doctor/run-checks.ts",
    "http/openapi.ts",
    "tenants/lifecycle/managed-tenants.ts",
    "tenants/lifecycle/create-tenant.ts",
    "tenants/lifecycle/run-operation.ts",
    "tenants/sync/schedule-sync.ts",
    "model/tenant/all-settings.ts",
    "model/users/imported-users.ts",
  ];
  for (const path of late) expect(existsSync(new URL(`../${path}`, import.meta.url)), path).toBe(true);
  expect(loaded.filter((path) => late.some((start) => path.startsWith(start)))).toEqual([]);
});

test("core loads the texts of only one language at start", () => {
  const texts = [...loadedAtStart()].filter((path) => /\/locales\/(.+\/)?[a-z]{2}\.ts$/.test(path));
  expect(texts.map((path) => path.slice(path.indexOf("/locales/")))).toEqual(["/locales/en.ts"]);
});

test("core does not load the dependencies for common passwords, Liquid, phone numbers, certificates or WebAuthn at start", () => {
  const sources = [...loadedAtStart()].map((path) => readFileSync(path, "utf8"));
  for (const heavy of ["@zxcvbn-ts", "liquidjs", "libphonenumber-js", "@peculiar/", "reflect-metadata", "@simplewebauthn/"])
    expect(sources.filter((source) => new RegExp(`^import (?!type )[^;]*?from "${heavy}|^import "${heavy}`, "m").test(source))).toEqual([]);
});

test.each(
  [...authRoutes, ...managementRoutes, ...tenantRoutes, ...tenantOperationRoutes].map(({ definition }) => [
    definition.method,
    definition.path,
  ]),
)("%s %s is routed in the API that its path belongs to", async (method, path) => {
  const router = await routing.routerOf(routing.apiOf(path));
  expect(router.find(method, path.replaceAll(/:\w+/g, "x")).entry.path).toBe(path);
});

test("the Management API is loaded once, on the first request for it", async () => {
  const management = routing.apiOf("/api/v2/users");
  const [router, again] = await Promise.all([routing.routerOf(management), routing.routerOf(management)]);
  expect(again).toBe(router);
  expect(router.find("GET", "/api/v2/users").entry.path).toBe("/api/v2/users");
  expect(() => router.find("GET", "/userinfo")).toThrow("GET /userinfo is not served");
  expect((await routing.routerOf(authApi)).find("GET", "/userinfo").entry.path).toBe("/userinfo");
});
