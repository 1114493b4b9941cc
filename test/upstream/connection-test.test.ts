import { expect, test } from "vitest";
import { expectError, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { upstreamIssuer } from "./federation.ts";
import { locationOf, openTestedConnection, responseIn, returnUrl, type TestedConnection } from "./connection-tests.ts";

const checks = (result: JsonBody): { readonly [name: string]: string } => {
  const { checks: all } = result;
  return Object.fromEntries((Array.isArray(all) ? all : []).map((check) => [stringMember(check, "name"), stringMember(check, "status")]));
};
const failed = (result: JsonBody) => Object.entries(checks(result)).find(([, status]) => status === "failed")?.[0];

/** Starts a test and returns from the provider. @returns the encrypted response. */
async function responseOf(tested: TestedConnection): Promise<string> {
  const browser = tested.provider.service.browser();
  const address = await tested.leave(browser, stringMember(jsonBody(await tested.start()), "url"));
  return responseIn(locationOf(await tested.comeBack(browser, address)));
}

test("a test shows each check, the claims and the user, and stores no user, session or login", async () => {
  const tested = await openTestedConnection();
  const { data, manage } = tested.provider.service;
  const { users, sessions, login_sessions: logins, upstream_tokens: tokens, refresh_tokens: refresh } = data.collections;
  const rows = async () => {
    const where = { tenant_id: "main" };
    const limit = 100;
    const found = [users.find({ where, limit }), sessions.find({ where, limit }), logins.find({ where, limit })];
    const others = [tokens.find({ where, limit }), refresh.find({ where, limit })];
    return (await Promise.all([...found, ...others].map(async (all) => await all))).map(({ length }) => length);
  };
  const before = await rows();
  const claims = { email: "u@corp.example.test", email_verified: true, name: "U", groups: ["a"], secret: "the-access-token" };
  const result = await tested.run(claims);
  expect(checks(result)).toEqual({
    configuration: "passed",
    metadata: "passed",
    state: "passed",
    response: "passed",
    token: "passed",
    algorithm: "passed",
    lifetime: "passed",
    issuer: "passed",
    audience: "passed",
    nonce: "passed",
    signature: "passed",
    userinfo: "passed",
    subject: "passed",
    email: "passed",
    email_verified: "passed",
    email_authority: "warning",
    sign_up: "passed",
  });
  expect(result).toMatchObject({
    success: true,
    profile: { user_id: "fieldnotes|u1", email: "u@corp.example.test", email_verified: true, name: "U" },
    claims: { sub: "u1", groups: ["a"], secret: "[left out]" },
  });
  expect(JSON.stringify(result)).not.toMatch(/the-access-token|eyJ/);
  expect(await rows()).toEqual(before);
  const { body: events } = await manage("GET", "/api/v2/logs?per_page=50");
  expect(JSON.stringify(events)).not.toMatch(/u@corp|the-access-token|a secret of ours/);
});

test.each([
  ["issuer", { iss: "https://another.example.test" }, {}],
  ["audience", { aud: "another" }, {}],
  ["audience", { azp: "another" }, {}],
  ["nonce", { nonce: "another" }, {}],
  ["nonce", { nonce: undefined }, {}],
  ["lifetime", { exp: 1 }, {}],
  ["issuer", { iss: undefined }, {}],
  ["subject", { sub: undefined }, {}],
  ["response", {}, { iss: "https://another.example.test" }],
  ["response", {}, { error: "access_denied", error_description: "not today" }],
] as const)("a test names the check that failed: %s %j %j", async (name, claims, callback) => {
  const tested = await openTestedConnection();
  const result = await tested.run(claims, callback);
  expect([result["success"], failed(result), "profile" in result, "claims" in result]).toEqual([false, name, false, false]);
  if ("error" in callback) expect(result["error"]).toMatchObject({ error: "access_denied", error_description: "not today" });
});

test("a test shows the provider's words for a wrong client secret, and never the secret", async () => {
  const tested = await openTestedConnection();
  const refusal = { error: "invalid_client", error_description: "wrong secret: a secret of ours" };
  tested.provider.responses.set("/token", () => Response.json(refusal, { status: 401 }));
  const result = await tested.run();
  expect([failed(result), checks(result)["issuer"], checks(result)["response"]]).toEqual(["token", "not_run", "passed"]);
  expect(result["error"]).toMatchObject({ status: 401, error: "invalid_client", error_description: "wrong secret: [left out]" });
});

test("a test returns at once if the metadata of the provider cannot be read", async () => {
  const tested = await openTestedConnection();
  tested.provider.responses.set("/.well-known/openid-configuration", () => new Response("<html>", { status: 502 }));
  const result = await tested.run();
  expect([failed(result), checks(result)["state"]]).toEqual(["metadata", "not_run"]);
  expect(result["error"]).toMatchObject({ status: 502, url: `${upstreamIssuer}.well-known/openid-configuration` });
});

test("a test warns of a missing address, a missing attribute and closed sign-ups", async () => {
  const attributes = { name: "${context.userinfo.full_name}", nickname: "${context.userinfo.nick}" };
  const tested = await openTestedConnection({ attribute_map: { attributes }, disable_signup: true });
  const result = await tested.run({ nick: "you" });
  expect(checks(result)).toMatchObject({ mapping: "warning", email: "warning", email_verified: "warning", sign_up: "warning" });
  expect(result).toMatchObject({ success: true, profile: { nickname: "you" } });
  expect(JSON.stringify(result["checks"])).toContain("names for: name");
});

test("one response has one result", async () => {
  const tested = await openTestedConnection();
  const response = await responseOf(tested);
  const answers = await Promise.all([1, 2, 3, 4].map(() => tested.result(response)));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);
});

test("the callback of a test works once, and only in the browser that started it", async () => {
  const tested = await openTestedConnection();
  const { service } = tested.provider;
  const browser = service.browser();
  const address = await tested.leave(browser, stringMember(jsonBody(await tested.start()), "url"));
  expect((await tested.comeBack(service.browser(), address)).status).toBe(400);
  expect((await tested.comeBack(browser, address, {}, { state: `${address.searchParams.get("state")}x` })).status).toBe(400);
  expect(locationOf(await tested.comeBack(browser, address))).toContain(returnUrl);
  expect((await tested.comeBack(browser, address)).status).toBe(400);
});

test("only the session that started a test receives its result, for its connection, in ten minutes", async () => {
  const tested = await openTestedConnection();
  const response = await responseOf(tested);
  const scopes = ["update:connections"];
  expectError(await tested.result(response, await tested.tokenOf(scopes)), 403, "forbidden");
  expectError(await tested.result(response, await tested.tokenOf(scopes, "bob")), 403, "forbidden");
  const other = await tested.provider.connect({ name: "second" });
  const path = `/api/v2/connections/${stringMember(other, "id")}/test/result`;
  expectError(await tested.provider.service.call("POST", path, { token: tested.token, body: { response } }), 400, "invalid_request");
  expectError(await tested.result(`${response}x`), 400, "invalid_request");
  expectError(await tested.result(response.replace("main.", "other.")), 400, "invalid_request");
  tested.provider.service.clock.advance(10 * 60_000);
  expectError(await tested.result(response), 400, "invalid_request");
});

test("an expired or changed start URL shows an error page, and sets no cookie", async () => {
  const tested = await openTestedConnection();
  const browser = tested.provider.service.browser();
  const url = stringMember(jsonBody(await tested.start()), "url");
  for (const changed of [
    `${url}x`,
    url.replace("test=main.", "test=other."),
    url.replace(/test=.*/, "test=main.x"),
    url.replace(/\?.*/, ""),
  ])
    expect((await browser.get(changed)).status).toBeGreaterThanOrEqual(400);
  tested.provider.service.clock.advance(10 * 60_000);
  expect((await browser.get(url)).status).toBe(400);
  expect([...browser.cookies.keys()].filter((name) => name.includes("test"))).toEqual([]);
});

test("a test requires a user with the scope, a return URL of the client and a provider", async () => {
  const tested = await openTestedConnection();
  const { service } = tested.provider;
  const readOnly = await tested.tokenOf(["read:connections"]);
  expectError(await tested.start(undefined, readOnly), 403, "insufficient_scope");
  expectError(await tested.result("main.x", readOnly), 403, "insufficient_scope");
  for (const url of ["https://evil.example.test/", "javascript:alert(1)", "https://u@console.example.test/", "/result", ""])
    expectError(await tested.start({ return_url: url }), 400, "invalid_request");
  expectError(await tested.start({}), 400, "invalid_request");
  expectError(await service.manage("POST", `/api/v2/connections/${tested.connection}/test`, { return_url: returnUrl }), 403, "forbidden");
  const token = tested.token;
  const body = { return_url: returnUrl };
  expectError(await service.call("POST", "/api/v2/connections/con_unknown000000000/test", { token, body }), 404, "not_found");
  const database = jsonBody(await service.manage("GET", "/api/v2/connections?strategy=auth0&include_totals=true"))["connections"];
  const local = stringMember(Array.isArray(database) ? database[0] : {}, "id");
  expectError(await service.call("POST", `/api/v2/connections/${local}/test`, { token, body }), 400, "invalid_request");
});
