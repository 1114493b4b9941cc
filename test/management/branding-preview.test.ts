import { expect, test } from "vitest";
import { expectError, jsonBody, managerOf, stringMember } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

const path = "/api/v2/branding/preview";

test("a preview shows the stored branding with the members of the body, and stores nothing", async () => {
  const service = await createTestPostern();
  const manage = await managerOf(service);
  await manage("PATCH", "/api/v2/branding", { logo_url: "https://cdn.example.test/logo.svg", colors: { primary: "#0b6e4f" } });
  const stored = jsonBody(await manage("GET", "/api/v2/branding"));
  const preview = async (body: object): Promise<string> => stringMember(jsonBody(await manage("POST", path, body)), "html");
  const unchanged = await preview({});
  expect(unchanged).toContain('src="https://cdn.example.test/logo.svg"');
  expect(unchanged).toContain("#0b6e4f");
  const changed = await preview({ colors: { primary: "#7a1fa2" }, logo_url: null });
  expect([changed.includes("#7a1fa2"), changed.includes("#0b6e4f"), changed.includes("logo.svg")]).toEqual([true, false, false]);
  expect(changed).toContain("brand-named");
  expect(jsonBody(await manage("GET", "/api/v2/branding"))).toEqual(stored);
});

test("a preview has no form, link or script, and shows the tenant's name as text", async () => {
  const service = await createTestPostern();
  const manage = await managerOf(service);
  await manage("PATCH", "/api/v2/tenants/settings", { friendly_name: "<script>alert(1)</script>" });
  const html = stringMember(jsonBody(await manage("POST", path, {})), "html");
  expect(html).not.toMatch(/<(form|a|script|iframe|link|base|object)\b|\son\w+=/);
  expect(html).toContain("&lt;script>");
  expect(html).toMatch(/<main [^>]*\binert\b/);
});

test("a preview is in the language of the request, with the branding of the caller's tenant", async () => {
  const service = await createTestPostern();
  const [manage, other] = [await managerOf(service), await managerOf(service, "other")];
  await manage("PATCH", "/api/v2/branding", { colors: { primary: "#0b6e4f" } });
  await manage("PATCH", "/api/v2/tenants/settings", { enabled_locales: ["en", "ar"] });
  const arabic = jsonBody(await manage("POST", path, {}, { "accept-language": "ar" }));
  expect(stringMember(arabic, "html")).toContain('dir="rtl"');
  expect(stringMember(jsonBody(await other("POST", path, {})), "html")).not.toContain("#0b6e4f");
});

test("a preview requires the scope that reads the branding, and a valid body", async () => {
  const service = await createTestPostern();
  const manage = await managerOf(service);
  const token = await tokenWith(service, manage, ["update:branding"]);
  expectError(await service.call("POST", path, { token, body: {} }), 403, "insufficient_scope");
  for (const body of [
    { colors: { primary: "red;}</style>" } },
    { logo_url: "javascript:alert(1)" },
    { logo_url: "http://a.example" },
    { unknown: 1 },
  ])
    expectError(await manage("POST", path, body), 400, "invalid_request");
});
