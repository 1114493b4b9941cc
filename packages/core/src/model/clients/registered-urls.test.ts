import { describe, expect, test } from "vitest";
import { callbackUrlSchema, httpsUrlOrEmptySchema, logoutUrlSchema, originSchema, webUrlOrEmptySchema } from "./registered-urls.ts";

describe("a callback", () => {
  test.each([
    "https://app.example.com/callback",
    "http://localhost:3000",
    "http://127.0.0.1/cb?from=login",
    "com.example.app:/cb",
    "com.example.app://tenant.example.com/ios/com.example.app/callback",
    "https://*.example.com/callback",
    "https://{organization_name}.example.com/callback",
    "https://{organization_name}-app.example.com/callback",
    "https://example.com/{organization_name}/callback",
  ])("may be %s", (url) => {
    expect(callbackUrlSchema.parse(url)).toBe(url);
  });

  test.each([
    ["/callback", "absolute"],
    ["example.com/callback", "absolute"],
    ["", "absolute"],
    ["https:example.com", "absolute"],
    ["https:///callback", "absolute"],
    ["https://example.com/#", "fragment"],
    ["https://example.com/#token", "fragment"],
    ["javascript:alert(1)", "scheme javascript:"],
    ["JavaScript://example.com/%0aalert(1)", "scheme javascript:"],
    ["java\tscript:alert(1)", "control characters"],
    [" https://example.com", "spaces"],
    ["https:\\\\example.com", "backslashes"],
    ["data:text/html,hello", "scheme data:"],
    ["vbscript:x", "scheme vbscript:"],
    ["file:///etc/passwd", "scheme file:"],
    ["https://user:password@example.com/", "user name"],
    ["https://*.example.com@evil.example/", "user name"],
    ["http://*.example.com/", "https URL"],
    ["https://example.com/*", "leftmost label"],
    ["https://app.*.example.com/", "leftmost label"],
    ["https://app-*.example.com/", "leftmost label"],
    ["https://*.*.example.com/", "leftmost label"],
    ["https://*.example.com/*", "leftmost label"],
    ["https://*.com/", "two labels"],
    ["https://*.com./", "two labels"],
    ["https://*/", "leftmost label"],
    ["https://example.{organization_name}.com/", "no other braces"],
    ["https://{tenant}.example.com/", "no other braces"],
    ["https://example.com/?to={organization_name}", "no other braces"],
    ["https://example.com/?code=mine", "parameter code"],
    ["https://example.com/?a=1&%73tate=mine", "parameter state"],
    ["https://*.example.com/?iss=mine", "parameter iss"],
    ["com.example.app:/cb?error", "parameter error"],
    [`https://example.com/${"a".repeat(2048)}`, "2048"],
  ])("may not be %s", (url, reason) => {
    expect(callbackUrlSchema.safeParse(url).error?.issues[0]?.message).toContain(reason);
  });
});

test("a logout URL may have a fragment but not the parameter state", () => {
  expect(logoutUrlSchema.safeParse("https://example.com/?code=1").success).toBe(true);
  expect(logoutUrlSchema.safeParse("https://example.com/?state=1").error?.issues[0]?.message).toContain("parameter state");
  expect(logoutUrlSchema.safeParse("https://example.com/#/bye").success).toBe(true);
  expect(logoutUrlSchema.safeParse("javascript:alert(1)").success).toBe(false);
});

test.each(["https://example.com", "http://localhost:3000", "https://*.example.com", "capacitor://localhost"])(
  "%s is an origin",
  (origin) => {
    expect(originSchema.parse(origin)).toBe(origin);
  },
);

test.each(["https://example.com/", "https://example.com/app", "https://example.com?x", "com.example.app:/cb", "*", "null"])(
  "%s is not an origin",
  (origin) => {
    expect(originSchema.safeParse(origin).success).toBe(false);
  },
);

test("page URLs and https URLs may be empty but must not have another scheme", () => {
  expect(httpsUrlOrEmptySchema.safeParse("").success).toBe(true);
  expect(httpsUrlOrEmptySchema.safeParse("https://{organization_name}.example.com/start").success).toBe(true);
  expect(httpsUrlOrEmptySchema.safeParse("http://example.com").success).toBe(false);
  expect(webUrlOrEmptySchema.safeParse("http://example.com/logo.png").success).toBe(true);
  expect(webUrlOrEmptySchema.safeParse("com.example.app://logo").success).toBe(false);
});
