import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

let service: TestPostern;
let manage: Manager;
let other: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  other = await managerOf(service, "other");
});

test("prompt settings have defaults and can be changed one by one", async () => {
  const path = "/api/v2/prompts";
  const defaults = { universal_login_experience: "new", identifier_first: true, webauthn_platform_first_factor: false };
  expect(jsonBody(await manage("GET", path))).toEqual(defaults);
  expect(jsonBody(await manage("PATCH", path, {}))).toEqual(defaults);
  expect(jsonBody(await manage("PATCH", path, { identifier_first: false }))).toEqual({ ...defaults, identifier_first: false });
  await manage("PATCH", path, { webauthn_platform_first_factor: true });
  expect(jsonBody(await manage("GET", path))).toEqual({ ...defaults, identifier_first: false, webauthn_platform_first_factor: true });
  expect(jsonBody(await manage("PATCH", path, { identifier_first: null }))).toMatchObject({ identifier_first: true });
  expect(jsonBody(await other("GET", path))).toEqual(defaults);
  expectError(await manage("PATCH", path, { universal_login_experience: "old" }), 400, "invalid_request", "'universal_login_experience'");
  expectError(await manage("PATCH", path, { identifier: true }), 400, "invalid_request", "'identifier'");
});

describe("custom texts", () => {
  const path = "/api/v2/prompts/login-id/custom-text/en";

  test("are empty by default, and are replaced and removed per prompt, language and tenant", async () => {
    expect(jsonBody(await manage("GET", path))).toEqual({});
    const first = {
      "login-id": { title: "Hello", pageTitle: "Hello | ${clientName}", "unknown-key": "is stored" },
      elsewhere: { a: "b" },
    };
    expect(await manage("PUT", path, first)).toMatchObject({ status: 200, body: first });
    expect(jsonBody(await manage("GET", path))).toEqual(first);
    const second = { "login-id": { title: "Hi", __proto__x: "y" } };
    await manage("PUT", path, second);
    expect(jsonBody(await manage("GET", path))).toEqual(second);
    expect(jsonBody(await manage("GET", path.replace("/en", "/de")))).toEqual({});
    expect(jsonBody(await manage("GET", path.replace("login-id", "login")))).toEqual({});
    expect(jsonBody(await other("GET", path))).toEqual({});
    expect(await manage("PUT", path, {})).toMatchObject({ status: 200 });
    expect(jsonBody(await manage("GET", path))).toEqual({});
  });

  test("from parallel requests are never mixed", async () => {
    const writes = Array.from({ length: 16 }, (_, n) =>
      manage("PUT", path, { "login-id": { title: `Title ${n}`, description: `Lead ${n}` } }),
    );
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([200]));
    const { "login-id": texts } = jsonBody(await manage("GET", path));
    expect(JSON.stringify(texts)).toMatch(/^\{"title":"Title (\d+)","description":"Lead \1"\}$/);
  });

  test.each([
    ["/api/v2/prompts/nothing/custom-text/en", {}, "'prompt' must be one of login, "],
    ["/api/v2/prompts/login/custom-text/tlh", {}, "'language' must be one of am, "],
    ["/api/v2/prompts/login/custom-text/__proto__", {}, "'language' must be one of am, "],
    ["/api/v2/prompts/constructor/custom-text/en", {}, "'prompt' must be one of login, "],
    [path, { "login-id": "Hello" }, "'login-id'"],
    [path, { "login-id": { title: 7 } }, "'login-id.title'"],
    [path, { "login-id": { title: null } }, "'login-id.title'"],
    [path, { "login-id": { title: "a".repeat(2001) } }, "'login-id.title'"],
    [path, { "login-id": { ["k".repeat(129)]: "a" } }, "'login-id"],
    [path, { "login-id": Object.fromEntries(Array.from({ length: 40 }, (_, n) => [n, "a".repeat(2000)])) }, "65536 bytes"],
    [path, [], "must be"],
  ])("at %s cannot be %j", async (target, body, error) => {
    expectError(await manage("PUT", target, body), 400, "invalid_request", error);
    expect(jsonBody(await manage("GET", path))).toEqual({});
  });
});

describe("partials", () => {
  const path = "/api/v2/prompts/login-id/partials";

  test("are stored without validation of their content, per prompt and tenant", async () => {
    expect(jsonBody(await manage("GET", path))).toEqual({});
    const snippets = { "login-id": { "form-content-start": "<script>alert(1)</script>" } };
    expect(await manage("PUT", path, snippets)).toMatchObject({ status: 200, body: snippets });
    expect(jsonBody(await manage("GET", path))).toEqual(snippets);
    expect(jsonBody(await other("GET", path))).toEqual({});
    await manage("PUT", path, {});
    expect(jsonBody(await manage("GET", path))).toEqual({});
  });

  test.each([
    ["/api/v2/prompts/consent/partials", {}, "'prompt' must be one of login, "],
    [path, { "login-id": "<p>" }, "'login-id'"],
    [path, { "login-id": { a: "x".repeat(65_530) } }, "65536 bytes"],
  ])("at %s cannot be %j", async (target, body, error) => {
    expectError(await manage("PUT", target, body), 400, "invalid_request", error);
  });
});

describe("the rendering of a screen", () => {
  const path = "/api/v2/prompts/rendering";
  const screen = "/api/v2/prompts/login/screen/login/rendering";
  const standard = {
    rendering_mode: "standard",
    context_configuration: [],
    default_head_tags_disabled: false,
    use_page_template: false,
    head_tags: [],
  };

  test("is standard by default, can be changed field by field, and is listed once it was changed", async () => {
    expect(jsonBody(await manage("GET", screen))).toEqual({ tenant: "main", prompt: "login", screen: "login", ...standard });
    expect(list(await manage("GET", path))).toEqual([]);
    const head_tags = [{ tag: "script", attributes: { src: "https://cdn.example.test/x.js", defer: true } }];
    expect(jsonBody(await manage("PATCH", screen, { rendering_mode: "advanced", head_tags }))).toEqual({
      ...standard,
      rendering_mode: "advanced",
      head_tags,
    });
    expect(jsonBody(await manage("PATCH", screen, { use_page_template: true }))).toMatchObject({ head_tags, use_page_template: true });
    const configs = [{ prompt: "consent", screen: "consent", filters: { clients: [{ id: "a" }] } }];
    expect(jsonBody(await manage("PATCH", path, { configs }))).toEqual({ configs: [{ ...standard, ...configs[0] }] });
    const all = list(await manage("GET", `${path}?include_totals=true&per_page=1`), "configs");
    expect(all).toEqual([{ tenant: "main", ...standard, ...configs[0] }]);
    expect(jsonBody(await manage("GET", `${path}?include_totals=true&per_page=1`))).toMatchObject({ total: 2, start: 0, limit: 1 });
    expect(list(await manage("GET", `${path}?rendering_mode=advanced`))).toMatchObject([{ prompt: "login" }]);
    expect(list(await manage("GET", `${path}?prompt=consent&screen=login`))).toEqual([]);
    expect(list(await other("GET", path))).toEqual([]);
  });

  test("keeps all of several parallel changes", async () => {
    await manage("PATCH", screen, {});
    const changes = [{ rendering_mode: "advanced" }, { use_page_template: true }, { default_head_tags_disabled: true }];
    await Promise.all(changes.map((change) => manage("PATCH", screen, change)));
    expect(jsonBody(await manage("GET", screen))).toMatchObject(Object.assign({}, ...changes));
  });

  test.each([
    ["/api/v2/prompts/login/screen/nowhere/rendering", {}, "'screen' must be one of login, "],
    ["/api/v2/prompts/nothing/screen/login/rendering", {}, "'prompt' must be one of login, "],
    [screen, { rendering_mode: "mine" }, "'rendering_mode'"],
    [screen, { html: "<p>" }, "'html'"],
    [path, { configs: [] }, "'configs'"],
    [path, { configs: [{ prompt: "login", screen: "nowhere" }] }, "'configs\\[0\\].screen'"],
  ])("at %s cannot be %j", async (target, body, error) => {
    expectError(await manage("PATCH", target, body), 400, "invalid_request", error);
  });
});

describe("the page template of Universal Login", () => {
  const path = "/api/v2/branding/templates/universal-login";
  const template = "<html><head>{%- auth0:head -%}</head><body>{% auth0:widget %}</body></html>";

  test("does not exist by default, and can be created, replaced and deleted", async () => {
    const expectNone = async (): Promise<unknown> =>
      expect(expectError(await manage("GET", path), 404, "not_found")).toMatchObject({
        errorCode: "inexistent_templates_universal_login",
      });
    await expectNone();
    expect(await manage("PUT", path, { template })).toMatchObject({ status: 201 });
    expect(await manage("PUT", path, { template: `${template}\n` })).toMatchObject({ status: 204 });
    expect(jsonBody(await manage("GET", path))).toEqual({ body: `${template}\n` });
    expectError(await other("GET", path), 404, "not_found");
    expect(await manage("DELETE", path)).toMatchObject({ status: 204 });
    expect(await manage("DELETE", path)).toMatchObject({ status: 204 });
    await expectNone();
  });

  test.each([
    [{ template: "<html></html>" }, "auth0:head"],
    [{ template: "{% auth0:head %}" }, "auth0:widget"],
    [{ template: `${template}${"x".repeat(102_400)}` }, "'template'"],
    [{ body: template }, "'template'"],
    ["<html></html>", "body: must contain the tags"],
    ["x".repeat(102_401), "body: must have at most 102400 characters"],
    [5, "body: must be an object with a template, or a template"],
  ])("cannot be %j", async (body, error) => {
    expectError(await manage("PUT", path, JSON.stringify(body)), 400, "invalid_request", error);
  });
});
