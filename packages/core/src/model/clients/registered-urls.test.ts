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

describe("a URL with characters outside ASCII", () => {
  test.each([
    ["https://münchen.example/rückruf?a=ö", "https://xn--mnchen-3ya.example/r%C3%BCckruf?a=%C3%B6"],
    ["https://münchen.example", "https://xn--mnchen-3ya.example/"],
    ["https://app.example/%C3%BC/ü", "https://app.example/%C3%BC/%C3%BC"],
    ["https://*.münchen.example/cb", "https://*.xn--mnchen-3ya.example/cb"],
    [
      "https://{organization_name}.münchen.example/{organization_name}/ü",
      "https://{organization_name}.xn--mnchen-3ya.example/{organization_name}/%C3%BC",
    ],
    ["com.example.app://münchen/ü", "com.example.app://m%C3%BCnchen/%C3%BC"],
    ["https://日本.example/パス", "https://xn--wgv71a.example/%E3%83%91%E3%82%B9"],
  ])("is stored as `new URL` writes it: %s", (url, stored) => {
    expect(callbackUrlSchema.parse(url)).toBe(stored);
    expect(callbackUrlSchema.parse(stored)).toBe(stored);
  });

  test.each([
    ["https://münchen .example/", "spaces"],
    ["https://a／b.example/", "absolute"],
    ["https://＊.com/", "two labels"],
    ["https://münchen.example/#ü", "fragment"],
    ["https://münchen.example/?ｃode=1&code=ü", "parameter code"],
    ["/rückruf", "absolute"],
  ])("may not be %s", (url, reason) => {
    expect(callbackUrlSchema.safeParse(url).error?.issues[0]?.message).toContain(reason);
  });
});

test("a URL in ASCII is stored unchanged", () => {
  for (const url of ["HTTPS://App.example:443/a/../b", "https://app.example", "https://app.example/%7e"])
    expect(callbackUrlSchema.parse(url)).toBe(url);
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

test.each([
  ["https://SPA.example", "https://spa.example"],
  ["HTTPS://spa.example:443", "https://spa.example"],
  ["http://spa.example:80", "http://spa.example"],
  ["https://spa.example:8443", "https://spa.example:8443"],
  ["http://spa.example:443", "http://spa.example:443"],
  ["https://münchen.example", "https://xn--mnchen-3ya.example"],
  ["https://*.München.example:443", "https://*.xn--mnchen-3ya.example"],
  ["https://{organization_name}.Example.com", "https://{organization_name}.example.com"],
  ["http://[0:0::1]:3000", "http://[::1]:3000"],
  ["Capacitor://localhost", "capacitor://localhost"],
])("the origin %s is stored as browsers send it", (origin, stored) => {
  expect(originSchema.parse(origin)).toBe(stored);
});

test.each([
  "https://SPA.example/",
  "https://MÜNCHEN.example/x",
  "https://user@SPA.example",
  "https://SPA.example:99999",
  "https://SPA.example#x",
])("%s is not an origin in any spelling", (origin) => {
  expect(originSchema.safeParse(origin).success).toBe(false);
});

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
