import { beforeEach, describe, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

let service: TestPostern;
let manage: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

describe("attack protection", () => {
  const bruteForce = "/api/v2/attack-protection/brute-force-protection";
  const suspiciousIp = "/api/v2/attack-protection/suspicious-ip-throttling";

  test("has defaults, and each section is updated field by field", async () => {
    const before = jsonBody(await manage("GET", bruteForce));
    expect(before).toEqual({
      enabled: true,
      shields: ["block", "user_notification"],
      allowlist: [],
      mode: "count_per_identifier",
      max_attempts: 3,
    });
    const throttling = jsonBody(await manage("GET", suspiciousIp));
    expect(throttling).toMatchObject({ enabled: true, allowlist: [], stage: { "pre-login": { max_attempts: 100, rate: 864_000 } } });

    expect(jsonBody(await manage("PATCH", bruteForce, { max_attempts: 5 }))).toEqual({ ...before, max_attempts: 5 });
    expect(jsonBody(await manage("PATCH", bruteForce, { allowlist: ["192.0.2.0/24", "2001:db8::1"] }))).toEqual({
      ...before,
      max_attempts: 5,
      allowlist: ["192.0.2.0/24", "2001:db8::1"],
    });
    expect(jsonBody(await manage("PATCH", bruteForce, {}))).toMatchObject({ max_attempts: 5 });
    const stage = { "pre-login": { max_attempts: 7, rate: 60_000 } };
    expect(jsonBody(await manage("PATCH", suspiciousIp, { enabled: false, stage }))).toMatchObject({
      enabled: false,
      stage: { ...stage, "pre-user-registration": { max_attempts: 50 } },
    });
    expect(jsonBody(await manage("GET", suspiciousIp))).toMatchObject({ enabled: false, stage });
    expect(jsonBody(await manage("GET", bruteForce))).toMatchObject({ enabled: true, max_attempts: 5 });
    expect(jsonBody(await (await managerOf(service, "other"))("GET", suspiciousIp))).toEqual(throttling);
  });

  test.each([
    [bruteForce, { max_attempts: 0 }, "'max_attempts'"],
    [bruteForce, { enabled: "yes" }, "'enabled'"],
    [bruteForce, { shields: ["admin_notification"] }, "'shields"],
    [bruteForce, { allowlist: ["everywhere"] }, "'allowlist"],
    [bruteForce, { mode: "x" }, "'mode'"],
    [bruteForce, { stage: {} }, "'stage'"],
    [suspiciousIp, { allowlist: ["192.0.2.0/33"] }, "'allowlist"],
    [suspiciousIp, { stage: { "pre-login": { max_attempts: 1, rate: "x" } } }, "'stage.pre-login.rate'"],
    [suspiciousIp, { max_attempts: 3 }, "'max_attempts'"],
  ])("%s rejects %j, and the error names the field", async (path, body, error) => {
    expectError(await manage("PATCH", path, body), 400, "invalid_request", error);
  });

  test("requires its scopes", async () => {
    for (const path of [bruteForce, suspiciousIp]) {
      const reader = await tokenWith(service, manage, ["read:attack_protection"]);
      const writer = await tokenWith(service, manage, ["update:attack_protection"]);
      expectError(await service.call("PATCH", path, { token: reader, body: {} }), 403, "insufficient_scope", "update:attack_protection");
      expectError(await service.call("GET", path, { token: writer }), 403, "insufficient_scope", "read:attack_protection");
      expectError(await service.call("GET", path), 401, "invalid_token");
    }
  });
});

describe("branding", () => {
  const path = "/api/v2/branding";

  test("is empty by default, and can be set, merged and removed", async () => {
    expect(jsonBody(await manage("GET", path))).toEqual({});
    const logo = "https://cdn.example.test/logo.png";
    expect(jsonBody(await manage("PATCH", path, { logo_url: logo, colors: { primary: "#0a84ff", page_background: "#fff" } }))).toEqual({
      logo_url: logo,
      colors: { primary: "#0a84ff", page_background: "#fff" },
    });
    expect(
      jsonBody(await manage("PATCH", path, { colors: { primary: "#112233" }, font: { url: "https://cdn.example.test/a.woff2" } })),
    ).toEqual({
      logo_url: logo,
      colors: { primary: "#112233", page_background: "#fff" },
      font: { url: "https://cdn.example.test/a.woff2" },
    });
    expect(jsonBody(await manage("GET", `${path}?fields=logo_url`))).toEqual({ logo_url: logo });
    const gradient = { type: "linear-gradient", start: "#000000", end: "#ffffff", angle_deg: 35 };
    expect(jsonBody(await manage("PATCH", path, { colors: { page_background: gradient }, font: null, logo_url: null }))).toEqual({
      colors: { primary: "#112233", page_background: gradient },
    });
    expect(jsonBody(await manage("PATCH", path, { colors: { page_background: { ...gradient, angle_deg: 1 } } }))).toMatchObject({
      colors: { page_background: { ...gradient, angle_deg: 1 } },
    });
    expect(jsonBody(await manage("PATCH", path, { colors: { primary: null, page_background: null } }))).toEqual({});
    expect(jsonBody(await (await managerOf(service, "other"))("GET", path))).toEqual({});
  });

  test("the stored branding is applied to hosted pages", async () => {
    await manage("PATCH", path, { colors: { primary: "#12ab9e" } });
    const page = await service.call("GET", "/authorize?client_id=unknown", { headers: { accept: "text/html" } });
    expect(page.body).toContain("#12ab9e");
  });

  test.each([
    [{ logo_url: "http://cdn.example.test/logo.png" }, "'logo_url'"],
    [{ logo_url: "javascript:alert(1)" }, "'logo_url'"],
    [{ favicon_url: 1 }, "'favicon_url'"],
    [{ colors: { primary: "red;}" } }, "'colors.primary'"],
    [{ colors: {} }, "'colors'"],
    [{ colors: { secondary: "#fff" } }, "'colors.secondary'"],
    [{ font: {} }, "'font'"],
    [{ theme: {} }, "'theme'"],
    [{ colors: { page_background: { type: "linear-gradient", start: "#fff", end: "#000" } } }, "'colors.page_background"],
  ])("rejects %j, and the error names the field", async (body, error) => {
    expectError(await manage("PATCH", path, body), 400, "invalid_request", error);
  });

  test("requires its scopes", async () => {
    const reader = await tokenWith(service, manage, ["read:branding"]);
    const writer = await tokenWith(service, manage, ["update:branding"]);
    expectError(await service.call("PATCH", path, { token: reader, body: {} }), 403, "insufficient_scope", "update:branding");
    expectError(await service.call("GET", path, { token: writer }), 403, "insufficient_scope", "read:branding");
    expectError(await service.call("GET", path), 401, "invalid_token");
  });
});
