import type { LogEntry } from "@postern/core";
import { beforeAll, describe, expect, test } from "vitest";
import { auditEvents, expectError, jsonBody } from "../support/api.ts";
import { formFields } from "../support/browser.ts";
import {
  sendAuthorization,
  authorizeParameters,
  codeGrant,
  login,
  openService,
  errorParameters,
  readResult,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
let exact: App;
let native: App;
let wild: App;
beforeAll(async () => {
  service = await openService();
  exact = await service.register({
    secret: true,
    callbacks: ["https://app.example.test/callback", "https://app.example.test/other?kept=1"],
  });
  native = await service.register({ app_type: "native", callbacks: ["http://127.0.0.1/callback", "com.example.app:/callback"] });
  wild = await service.register({ secret: true, callbacks: ["https://*.apps.example.test/callback"] });
});

const base = "https://app.example.test/callback";

/** Redirect URIs that an attacker might send in place of `https://app.example.test/callback`. */
const tricks = [
  `${base}/`,
  `${base}/extra`,
  `${base}x`,
  `${base}?`,
  `${base}?added=1`,
  `${base}#`,
  `${base}#fragment`,
  `${base}/../callback`,
  `${base}%2f..`,
  `${base}%20`,
  `${base} `,
  ` ${base}`,
  `${base}\n`,
  `${base}\t`,
  "https://app.example.test/other",
  "https://app.example.test/other?kept=2",
  "https://app.example.test/other?kept=1&more=1",
  "https://app.example.test/Callback",
  "https://app.example.test/%63allback",
  "https://app.example.test//callback",
  "https://app.example.test/./callback",
  "https://app.example.test\\callback",
  "https:\\\\app.example.test\\callback",
  "https://APP.example.test/callback",
  "HTTPS://app.example.test/callback",
  "https://app.example.test:443/callback",
  "https://app.example.test:8443/callback",
  "https://app.example.test./callback",
  "https://app.example.test@evil.test/callback",
  "https://app.example.test:x@evil.test/callback",
  "https://evil.test@app.example.test/callback",
  "https://evil.test\\@app.example.test/callback",
  "https://evil.test#@app.example.test/callback",
  "https://evil.test/https://app.example.test/callback",
  "https://app.example.test.evil.test/callback",
  "https://evil.test/callback",
  "https://sub.app.example.test/callback",
  "http://app.example.test/callback",
  "//app.example.test/callback",
  "/callback",
  "callback",
  "https:app.example.test/callback",
  "https:///app.example.test/callback",
  "javascript:alert(1)//https://app.example.test/callback",
  "data:text/html,<script>alert(1)</script>",
  "http://127.0.0.1/callback",
  "http://localhost/callback",
  "https://*.apps.example.test/callback",
  "https://аpp.example.test/callback",
  "https://ａpp.example.test/callback",
  "https://app。example.test/callback",
  "https://xn--pp-7kc.example.test/callback",
  "https://app.example.test%00.evil.test/callback",
  "https://app.example.test%2f@evil.test/callback",
  "https://app.example.test%5c@evil.test/callback",
  "https://app.example.test\u0000/callback",
  "https://app.example.test/callback;x",
  "https://app.example.test/callback&x=1",
  "https://app.example.test/callback/..;/x",
  "https://app.example.test/callback\u2028",
  "https://[::1]/callback",
  "ht\ttps://app.example.test/callback",
  "java\nscript:alert(1)",
];

test.each(tricks)("rejects the unregistered redirect URI %j with an error page, without a redirect", async (redirect_uri) => {
  for (const requested of [{}, { prompt: "none" }, { response_mode: "form_post" }, { response_type: "id_token" }]) {
    const result = await sendAuthorization(service.browser(), exact, { redirect_uri, ...requested });
    expect(result).toMatchObject({ kind: "page", status: 400 });
    if (result.kind === "page") expect(result.html).not.toContain("<script>alert");
  }
});

test("rejects an unregistered redirect URI by POST", async () => {
  for (const redirect_uri of ["https://evil.test/callback", `${base}/..`]) {
    const result = await readResult(await service.browser().post("/authorize", { form: authorizeParameters(exact, { redirect_uri }) }));
    expect(result).toMatchObject({ kind: "page", status: 400 });
  }
});

/** The redirect URIs that a developer compares to find a mistake. */
const comparison = "sent: 'https://evil.test/'; registered: 'https://app.example.test/callback', 'https://app.example.test/other?kept=1'";

test("a rejected redirect URI and the registered ones are in the audit event, and not on the page", async () => {
  // Failures within the previous minute are aggregated in one row.
  service.clock.advance("2m");
  const result = await sendAuthorization(service.browser(), exact, { redirect_uri: "https://evil.test/" });
  expect(JSON.stringify(result)).not.toContain("registered:");
  service.clock.advance("5s");
  const description = `'redirect_uri' is not registered for this client. ${comparison}`;
  expect(await auditEvents(service.manage, "f")).toContainEqual(expect.objectContaining({ client_id: exact.clientId, description }));
});

test("a rejected redirect URI and the registered ones are in the operator's log, and in development mode also on the page", async () => {
  const entries: LogEntry[] = [];
  const development = await openService({ development: true, logger: { log: (entry) => void entries.push(entry) } });
  const app = await development.register({
    secret: true,
    callbacks: ["https://app.example.test/callback", "https://app.example.test/other?kept=1"],
  });
  const result = await sendAuthorization(development.browser(), app, { redirect_uri: "https://evil.test/" });
  expect(result).toMatchObject({ kind: "page", status: 400 });
  expect(
    JSON.stringify(result)
      .replaceAll(/&#39;|&apos;/g, "'")
      .replaceAll("&amp;", "&"),
  ).toContain(comparison);
  expect(entries).toContainEqual(expect.objectContaining({ event: "refused", detail: comparison }));
  await development.postern.close();
});

test("redirects to an exactly matching redirect URI, and keeps its query unchanged", async () => {
  expect(errorParameters(await sendAuthorization(service.browser(), exact, { prompt: "none" }))["error"]).toBe("login_required");
  const stored = await sendAuthorization(service.browser(), exact, {
    prompt: "none",
    redirect_uri: "https://app.example.test/other?kept=1",
  });
  expect(errorParameters(stored)).toMatchObject({ kept: "1", error: "login_required" });
});

test("requires redirect_uri if the client has several, and not if it has one", async () => {
  expect(await sendAuthorization(service.browser(), exact, { redirect_uri: undefined })).toMatchObject({ kind: "page", status: 400 });
  expect(await sendAuthorization(service.browser(), wild, { redirect_uri: undefined })).toMatchObject({ kind: "page", status: 400 });
  expect(
    errorParameters(await sendAuthorization(service.browser(), service.web, { redirect_uri: undefined, prompt: "none" }))["error"],
  ).toBe("login_required");
});

test("rejects a repeated redirect_uri with an error page", async () => {
  const query = `${new URLSearchParams(authorizeParameters(exact))}&redirect_uri=${encodeURIComponent("https://evil.test/")}`;
  expect(await readResult(await service.browser().get(`/authorize?${query}`))).toMatchObject({ kind: "page", status: 400 });
  const twice = `${new URLSearchParams(authorizeParameters(exact))}&client_id=${service.web.clientId}`;
  expect(await readResult(await service.browser().get(`/authorize?${twice}`))).toMatchObject({ kind: "page", status: 400 });
});

test.each([undefined, "", "unknown", "x".repeat(300), "other-manager"])(
  "rejects the client_id %j with an error page, without a redirect",
  async (client_id) => {
    const result = await sendAuthorization(service.browser(), service.web, { client_id });
    expect(result.kind).toBe("page");
    if (result.kind === "page") expect([400, 403]).toContain(result.status);
  },
);

const ports = ["http://127.0.0.1:51004/callback", "http://127.0.0.1/callback", "http://127.0.0.1:1/callback"];
test.each(ports)("allows %j for a native app", async (redirect_uri) => {
  expect(errorParameters(await sendAuthorization(service.browser(), native, { redirect_uri, prompt: "none" }))["error"]).toBe(
    "login_required",
  );
});

test.each([
  "http://127.0.0.1:51004/callback/",
  "http://127.0.0.1:51004/callback?x=1",
  "http://127.0.0.1:51004/callback#",
  "http://127.0.0.1:51004/callback#x",
  "http://user@127.0.0.1:51004/callback",
  "http://127.0.0.1:51004\\callback",
  "https://127.0.0.1:51004/callback",
  "http://localhost:51004/callback",
  "http://127.0.0.2:51004/callback",
  "http://127.0.0.1.evil.test:51004/callback",
  "http://127.0.0.1:99999/callback",
  "http://127.0.0.1:/callback",
  "http://127.0.0.1:+80/callback",
  "http://127.1:51004/callback",
  "http://2130706433:51004/callback",
  "http://0x7f.0.0.1:51004/callback",
  "http://[::1]:51004/callback",
  "http://[::ffff:127.0.0.1]:51004/callback",
  "http:127.0.0.1:51004/callback",
  "http:///127.0.0.1:51004/callback",
  "HTTP://127.0.0.1:51004/callback",
  "http://127.0.0.1:51004//callback",
  "http://127.0.0.1:51004/./callback",
  "http://127.0.0.1:51004/x/../callback",
  "http://127.0.0.1:51004/x/%2e%2e/callback",
  "http://127.0.0.1:51004/%63allback",
  "com.example.app:/callback/",
  "com.example.app://callback",
])("rejects %j for a native app", async (redirect_uri) => {
  expect(await sendAuthorization(service.browser(), native, { redirect_uri, prompt: "none" })).toMatchObject({ kind: "page", status: 400 });
});

test("accepts any loopback port for native apps only", async () => {
  const web = await service.register({ secret: true, callbacks: ["http://127.0.0.1/callback"] });
  expect(await sendAuthorization(service.browser(), web, { redirect_uri: "http://127.0.0.1:51004/callback" })).toMatchObject({
    kind: "page",
    status: 400,
  });
});

test("never redirects to a registered URL with a placeholder, even if it is the only one and none was sent", async () => {
  const pattern = "https://{organization_name}.example.test/callback";
  const app = await service.register({ secret: true, callbacks: [pattern] });
  for (const redirect_uri of [pattern, undefined]) {
    expect(await sendAuthorization(service.browser(), app, { redirect_uri, prompt: "none" })).toMatchObject({ kind: "page", status: 400 });
  }
});

test("a wildcard matches one label of an https host", async () => {
  const redirect_uri = "https://team-1.apps.example.test/callback";
  expect(errorParameters(await sendAuthorization(service.browser(), wild, { redirect_uri, prompt: "none" }))["error"]).toBe(
    "login_required",
  );
});

test.each([
  "https://apps.example.test/callback",
  "https://.apps.example.test/callback",
  "https://a.b.apps.example.test/callback",
  "https://evil.test/x.apps.example.test/callback",
  "https://evil.test?.apps.example.test/callback",
  "https://evil.test#.apps.example.test/callback",
  "https://evil.test\\.apps.example.test/callback",
  "https://user@a.apps.example.test/callback",
  "https://a:b@c.apps.example.test/callback",
  "https://a.apps.example.test:8443/callback",
  "https://a.apps.example.test/callback?x=1",
  "https://a.apps.example.test.evil.test/callback",
  "https://a%2eb.apps.example.test/callback",
  "https://*.apps.example.test/callback",
  "http://a.apps.example.test/callback",
])("a wildcard does not match %j", async (redirect_uri) => {
  expect(await sendAuthorization(service.browser(), wild, { redirect_uri, prompt: "none" })).toMatchObject({ kind: "page", status: 400 });
});

test("never uses a host that is not configured, from the Host header or a forwarded header, in a URL", async () => {
  const headers = {
    host: "evil.test",
    "x-forwarded-host": "evil.test",
    "x-forwarded-proto": "http",
    forwarded: "host=evil.test;proto=http",
    "x-original-host": "evil.test",
    "x-forwarded-prefix": "/evil.test",
    "x-forwarded-port": "666",
  };
  const browser = service.browser();
  const requested = await browser.get(`/authorize?${new URLSearchParams(authorizeParameters(service.web))}`, { headers });
  const location = requested.headers.get("location") ?? "";
  expect(location.startsWith(`${service.postern.issuer}u/login?`)).toBe(true);
  const urls = [location, "/.well-known/openid-configuration", "/v2/logout", "/oidc/logout", "/authorize?client_id=unknown"];
  for (const url of urls) {
    const response = await browser.get(url, { headers });
    const all = `${await response.text()}${JSON.stringify([...response.headers])}`;
    expect(all).not.toMatch(/evil\.test|:666/);
    expect(all).not.toMatch(/http:\/\/id\.example\.test/);
  }
  // The URL of the request contains another host as well, because web frameworks build it from the Host header.
  const direct = await service.postern.fetch(
    new Request(`https://evil.test/authorize?${new URLSearchParams(authorizeParameters(service.web))}`),
    {},
  );
  expect(direct.headers.get("location")?.startsWith(`${service.postern.issuer}u/login?`)).toBe(true);
});

test("every redirect to a client has a fragment, so that browsers do not keep the fragment of the previous URL (RFC 9700 section 4.1.3)", async () => {
  const app = await service.register({ secret: true });
  const browser = service.browser();
  const locations: (string | null)[] = [];
  const follow = async (sent: Promise<Response>): Promise<string> => {
    const location = (await sent).headers.get("location");
    locations.push(location);
    return location ?? "";
  };
  const requesting = (more: object = {}): string => `/authorize?${new URLSearchParams({ ...authorizeParameters(app), ...more })}`;
  const state = new URL((await browser.get(requesting())).headers.get("location") ?? "").searchParams.get("state") ?? "";
  const { csrf = "" } = formFields(await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text());
  const { email: identifier, password } = service.ada;
  await follow(browser.post("/u/login", { form: { state, csrf, action: "sign-in", identifier, password } }));
  await follow(browser.get(requesting()));
  await follow(browser.get(requesting({ prompt: "none", max_age: "0" })));
  expect(locations.map((location) => location?.replace(/\?.*#/, "?#"))).toEqual(Array(3).fill("https://app.example.test/callback?#"));
});

test.each(["code", "state", "iss", "error", "id_token", "access_token"])(
  "rejects a callback with the query parameter %s, which the client would read in place of the response parameter",
  async (name) => {
    const body = { name: "App", callbacks: [`https://app.example.test/callback?a=1&${name}=theirs`] };
    expectError(await service.manage("POST", "/api/v2/clients", body), 400, "invalid_request", /callbacks.*parameter/);
    const path = `/api/v2/clients/${service.web.clientId}`;
    expectError(await service.manage("PATCH", path, { callbacks: body.callbacks }), 400, "invalid_request", /callbacks.*parameter/);
  },
);

describe("a redirect URI with characters outside ASCII", () => {
  const [typed, ascii] = ["https://münchen.example/rückruf?a=ö", "https://xn--mnchen-3ya.example/r%C3%BCckruf?a=%C3%B6"];

  const expectCodeFlow = async (app: App, sent: string | undefined): Promise<void> => {
    const silent = await sendAuthorization(service.browser(), app, { redirect_uri: sent, prompt: "none" });
    expect(silent).toMatchObject({ kind: "response", to: "https://xn--mnchen-3ya.example/r%C3%BCckruf", parameters: { a: "ö" } });
    const { code = "" } = await login(service.browser(), app, service.ada, { redirect_uri: sent });
    tokens(await service.exchange(codeGrant(app, code, { redirect_uri: sent })));
  };

  test("is stored in ASCII, and works in both spellings and as the default", async () => {
    const app = await service.register({ secret: true, callbacks: [typed] });
    expect(jsonBody(await service.manage("GET", `/api/v2/clients/${app.clientId}`))["callbacks"]).toEqual([ascii]);
    for (const sent of [typed, ascii, undefined]) await expectCodeFlow(app, sent);
  });

  test("that an earlier version stored unchanged works as well", async () => {
    const app = await service.register({ secret: true });
    const where = { tenant_id: "main", client_id: app.clientId };
    await service.data.collections.clients.update(where, { set: { callbacks: [typed] } });
    for (const sent of [typed, ascii, undefined]) await expectCodeFlow(app, sent);
  });

  test.each([
    "https://MÜNCHEN.example/R%C3%BCckruf?a=ö",
    "https://münchen.example/rückruf",
    "https://xn--mnchen-3ya.example/r%c3%bcckruf?a=%C3%B6",
    "https://münchen。evil.test/rückruf?a=ö",
    "https://münchen.example\\@evil.test/rückruf?a=ö",
    "https://münchen.example/rückruf?a=ö#",
    "https://münchen.example/./rückruf?a=ö",
    "https://münchen.example/x/%2E./rückruf?a=ö",
    "https://mü\u00adnchen.ｅxample/rückruf?a=ö",
  ])("is compared as text after it was converted: rejects %j", async (redirect_uri) => {
    const app = await service.register({ secret: true, callbacks: [typed] });
    expect(await sendAuthorization(service.browser(), app, { redirect_uri, prompt: "none" })).toMatchObject({ kind: "page", status: 400 });
  });

  test("does not reach a callback in ASCII", async () => {
    const app = await service.register({ secret: true, callbacks: ["https://app.example.test/callback"] });
    for (const redirect_uri of ["https://app.example.test:443/callback", "https://app.example.test/ü/../callback"])
      expect(await sendAuthorization(service.browser(), app, { redirect_uri })).toMatchObject({ kind: "page", status: 400 });
  });
});
