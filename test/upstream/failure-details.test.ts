import { CompactEncrypt, generateSecret } from "jose";
import { describe, expect, test } from "vitest";
import type { LogEntry } from "../../packages/core/src/adapters/logger.ts";
import { upstreamIssuer } from "./federation.ts";
import { expectFailure, makeKey, openScriptedProvider, type Claims, type ScriptedProvider } from "./scripted-provider.ts";

const right = { sub: "s-1", email: "pia@people.example", email_verified: true };
const secret = "a secret of ours";
const code = "a-code-that-the-provider-issued";

const entries: LogEntry[] = [];
const provider = await openScriptedProvider({}, { logger: { log: (entry) => void entries.push(entry) } });
const { service, responses } = provider;
const now = (): number => Math.floor(service.clock.now() / 1000);

type Come = NonNullable<Parameters<ScriptedProvider["signInAs"]>[1]>;
type Answer = () => Response | Promise<Response>;

interface Event {
  readonly type: string;
  readonly description: string;
  readonly details: { readonly provider?: object };
}

/**
 * Signs in with the replaced responses. @returns the message for the operator, after the log and the event are
 * compared.
 */
async function failWith(replaced: { readonly [path: string]: Answer }, claims: Claims = {}, options: Come = {}): Promise<Event> {
  entries.length = 0;
  const whileAway = async (): Promise<void> => {
    await options.whileAway?.();
    for (const [path, response] of Object.entries(replaced)) responses.set(path, response);
  };
  try {
    const result = await provider.signInAs(
      { ...right, ...claims },
      { ...options, whileAway: whileAway, callback: { code, ...options.callback } },
    );
    const { type } = await expectFailure(
      provider,
      result,
      options.callback?.["error"] === "access_denied" ? "provider-declined" : undefined,
    );
    // The visitor's page has no details. The state is random, and can contain any of these words.
    expect(JSON.stringify(result, (name, value: unknown) => (name === "state" ? undefined : value))).not.toMatch(
      /HTTP|invalid_|upstream\.example/,
    );
    const { body } = await service.manage("GET", "/api/v2/logs?per_page=20&include_totals=false");
    const event = (body as readonly (Event & { readonly connection?: string })[]).find(({ connection }) => connection === "fieldnotes");
    if (event === undefined) throw new Error("the log has no event");
    const [entry] = entries.filter(({ event: name }) => name === "upstream_failed");
    expect(entry).toMatchObject({ reason: event.description, provider: event.details.provider });
    expect(type).toBe(event.type);
    const logged = JSON.stringify([entry, event, String(entry?.["error"])]);
    for (const hidden of [secret, code, "eyJ"]) expect(logged).not.toContain(hidden);
    return event;
  } finally {
    responses.clear();
  }
}

const json =
  (body: object, status = 200): Answer =>
  () =>
    Response.json(body, { status });
const html =
  (status: number): Answer =>
  () =>
    new Response("<h1>no</h1>", { status, headers: { "content-type": "text/html" } });
const token = "token (https://upstream.example.test/token)";
const idToken = "id_token (https://upstream.example.test/token)";

/** Metadata and keys are cached for ten minutes. */
const uncached: Come = { whileAway: async () => service.clock.advance("11m") };

describe("the token endpoint", () => {
  test.each<[name: string, response: Answer, message: string, details: object]>([
    [
      "rejects the secret",
      json({ error: "invalid_client", error_description: "Invalid client or Invalid client credentials" }, 401),
      `${token}: HTTP 401, invalid_client: Invalid client or Invalid client credentials`,
      { step: "token", url: `${upstreamIssuer}token`, status: 401, error: "invalid_client" },
    ],
    [
      "rejects the client authentication method",
      json({ error: "invalid_client", error_description: "client_secret_post is not allowed for this client" }, 401),
      `${token}: HTTP 401, invalid_client: client_secret_post is not allowed for this client`,
      { status: 401, error_description: "client_secret_post is not allowed for this client" },
    ],
    [
      "does not know the client's key",
      json({ error: "invalid_client", error_description: "Unable to load public key" }, 400),
      `${token}: HTTP 400, invalid_client: Unable to load public key`,
      { status: 400 },
    ],
    [
      "rejects an expired code",
      json({ error: "invalid_grant", error_description: "Code not valid" }, 400),
      `${token}: HTTP 400, invalid_grant: Code not valid`,
      { status: 400, error: "invalid_grant" },
    ],
    [
      "requires DPoP",
      json({ error: "invalid_dpop_proof", error_description: "DPoP proof is missing" }, 400),
      `${token}: HTTP 400, invalid_dpop_proof: DPoP proof is missing`,
      { error: "invalid_dpop_proof" },
    ],
    [
      "names an error in a challenge",
      () =>
        new Response(null, {
          status: 401,
          headers: { "www-authenticate": 'DPoP error="use_dpop_nonce", error_description="nonce please"' },
        }),
      `${token}: HTTP 401, use_dpop_nonce: nonce please`,
      { error: "use_dpop_nonce" },
    ],
    [
      "redirects",
      () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example/?secret=x" } }),
      `${token}: HTTP 302, a redirect, which is not followed`,
      { status: 302 },
    ],
    ["limits requests", json({}, 429), `${token}: HTTP 429`, { status: 429 }],
    ["is not available", () => new Response("busy", { status: 503 }), `${token}: HTTP 503`, { status: 503 }],
    [
      "has an internal error",
      json({ error: "server_error" }, 500),
      `${token}: HTTP 500, server_error`,
      { status: 500, error: "server_error" },
    ],
    ["returns an error with status 200", json({ error: "bad_verification_code" }), `${token}: bad_verification_code`, { status: 200 }],
    ["responds with a page", html(200), `${token}: HTTP 200 with the content type "text/html", expected JSON`, { status: 200 }],
    ["responds with an error page", html(400), `${token}: HTTP 400 with an HTML page`, { status: 400 }],
    [
      "quotes a code, a secret and a token",
      json({ error: "invalid_grant", error_description: `${code} ${secret} eyJhbGciOi.eyJzdWIi.x9\u0000\n${"y".repeat(1000)}` }, 400),
      `${token}: HTTP 400, invalid_grant: [left out] [left out] [left out] ${"y".repeat(167)}`,
      { status: 400 },
    ],
  ])("logs the cause if the token endpoint %s", async (_, response, message, details) => {
    const { description, details: recorded } = await failWith({ "/token": response });
    expect(description).toBe(message);
    expect(recorded.provider).toMatchObject(details);
  });
});

describe("discovery, keys and userinfo", () => {
  const discovery = "/.well-known/openid-configuration";
  const metadata = async (): Promise<object> => (await (await provider.defaultResponse(discovery)).json()) as object;

  test.each<[name: string, path: string, response: Answer, message: string, details: object]>([
    [
      "discovery with 404",
      discovery,
      json({}, 404),
      "discovery (https://upstream.example.test/.well-known/openid-configuration): HTTP 404",
      { step: "discovery", status: 404 },
    ],
    [
      "discovery of another issuer",
      discovery,
      async () => Response.json({ ...(await metadata()), issuer: "https://other.example/" }),
      "discovery (https://upstream.example.test/.well-known/openid-configuration): 'issuer' is \"https://other.example/\", " +
        'expected "https://upstream.example.test/" ("response" body "issuer" property does not match the expected value)',
      { step: "discovery", claim: "issuer", expected: upstreamIssuer, received: "https://other.example/" },
    ],
    [
      "keys with 502",
      "/keys",
      html(502),
      "jwks (https://upstream.example.test/keys): HTTP 502 with an HTML page",
      { step: "jwks", status: 502 },
    ],
    [
      "keys without the key that signed",
      "/keys",
      json({ keys: [] }),
      'jwks (https://upstream.example.test/keys): no suitable key with the id "one" (error when selecting a JWT verification key, no applicable keys found)',
      { step: "jwks", claim: "kid", received: "one" },
    ],
  ])("logs the cause: %s", async (_, path, response, message, details) => {
    const { description, details: recorded } = await failWith({ [path]: response }, {}, uncached);
    expect(description).toBe(message);
    expect(recorded.provider).toMatchObject(details);
  });

  const userinfo = "userinfo (https://upstream.example.test/userinfo)";
  test.each<[name: string, response: Answer, message: string, details: object]>([
    [
      "userinfo with 401",
      () =>
        new Response(null, { status: 401, headers: { "www-authenticate": 'Bearer error="invalid_token", error_description="expired"' } }),
      `${userinfo}: HTTP 401, invalid_token: expired`,
      { step: "userinfo", status: 401, error: "invalid_token" },
    ],
    ["userinfo with 500", html(500), `${userinfo}: HTTP 500 with an HTML page`, { step: "userinfo", status: 500 }],
    [
      "userinfo of another user",
      json({ sub: "s-2" }),
      `${userinfo}: 'sub' is "s-2", expected "s-1" (unexpected "response" body "sub" property value)`,
      { step: "userinfo", claim: "sub", expected: "s-1", received: "s-2" },
    ],
  ])("logs the cause: %s", async (_, response, message, details) => {
    const withUserinfo: Answer = async () => Response.json({ ...(await metadata()), userinfo_endpoint: `${upstreamIssuer}userinfo` });
    const { description, details: recorded } = await failWith({ [discovery]: withUserinfo, "/userinfo": response }, {}, uncached);
    service.clock.advance("11m");
    expect(description).toBe(message);
    expect(recorded.provider).toMatchObject(details);
  });
});

describe("the ID token", () => {
  test.each<[name: string, claims: Claims, message: string, details: object]>([
    [
      "has another audience",
      { aud: "another" },
      `'aud' is "another", expected "we" (unexpected JWT "aud" (audience) claim value)`,
      { claim: "aud", expected: "we", received: "another" },
    ],
    [
      "has another issuer",
      { iss: "https://evil.example/" },
      `'iss' is "https://evil.example/", expected "https://upstream.example.test/" (unexpected JWT "iss" (issuer) claim value)`,
      { claim: "iss" },
    ],
    [
      "is authorized for another client",
      { azp: "another" },
      `'azp' is "another", expected "we" (the ID token was issued to another client)`,
      { claim: "azp", expected: "we", received: "another" },
    ],
  ])("logs the cause if the ID token %s", async (_, claims, message, details) => {
    const { description, details: recorded } = await failWith({}, claims);
    expect(description).toBe(`${idToken}: ${message}`);
    expect(recorded.provider).toMatchObject({ step: "id_token", ...details });
  });

  test("logs the cause if the ID token has another nonce", async () => {
    const { description, details } = await failWith({}, { nonce: "another" });
    expect(description).toMatch(/'nonce' is "another", expected "[\w-]{20,}"/);
    expect(details.provider).toMatchObject({ step: "id_token", claim: "nonce", received: "another" });
  });

  // The library compares whole seconds of the system clock, so the difference may be off by one.
  test.each<[claim: string, offset: number, order: string]>([
    ["exp", -600, "before"],
    ["nbf", 600, "after"],
    ["auth_time", 600, "after"],
  ])("logs the cause if the ID token has '%s' at %i seconds from the clock", async (claim, offset, order) => {
    const { description, details } = await failWith({}, { [claim]: now() + offset });
    expect(description).toMatch(new RegExp(`'${claim}' is (599|600|601) seconds ${order} the clock of this server`));
    expect(details.provider).toMatchObject({ step: "id_token", claim, clock_difference: expect.closeTo(offset, -0.5) });
  });

  test("logs the cause if the ID token is encrypted", async () => {
    const key = await generateSecret("A256GCM");
    const encrypted = await new CompactEncrypt(new TextEncoder().encode("x"))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(key);
    const { description } = await failWith({ "/token": json({ access_token: "at", token_type: "Bearer", id_token: encrypted }) });
    expect(description).toBe(`${idToken}: the ID token is encrypted, which is not supported`);
  });

  test("logs the cause if the ID token has an algorithm that the provider does not announce", async () => {
    const header = Buffer.from('{"alg":"HS256"}').toString("base64url");
    const { description } = await failWith({ "/token": json({ access_token: "at", token_type: "Bearer", id_token: `${header}.e30.x` }) });
    expect(description).toBe(`${idToken}: 'alg' is "HS256", expected "ES256" (unexpected JWT "alg" header parameter)`);
  });

  test("logs the cause if the ID token has a wrong signature", async () => {
    const { description, details } = await failWith({}, {}, { key: await makeKey("one") });
    expect(description).toMatch(/^id_token .*JWT signature verification failed$/);
    expect(details.provider).toMatchObject({ step: "id_token" });
  });
});

describe("the authorization response", () => {
  const response = "authorization response (https://upstream.example.test/authorize)";
  test.each<[error: string, errorDescription: string, type: string]>([
    ["access_denied", "The user refused", "f"],
    ["login_required", "No session", "fc"],
    ["invalid_scope", "Invalid scopes: openid calendar", "fc"],
    ["invalid_request", "Pushed Authorization Request is only allowed.", "fc"],
  ])("logs the cause if the authorization response has the error %s", async (error, errorDescription, type) => {
    const reply = { code: undefined, error, error_description: errorDescription };
    const event = await failWith({}, {}, { callback: reply });
    expect(event).toMatchObject({
      type,
      description: `${response}: ${error}: ${errorDescription}`,
      details: { provider: { step: "authorization response", error, error_description: errorDescription } },
    });
  });

  test("logs the cause if the authorization response has another issuer", async () => {
    const { description, details } = await failWith({}, {}, { callback: { iss: "https://evil.example/" } });
    expect(description).toBe(
      `${response}: 'iss' is "https://evil.example/", expected "https://upstream.example.test/" (unexpected "iss" (issuer) response parameter value)`,
    );
    expect(details.provider).toMatchObject({ claim: "iss", expected: upstreamIssuer, received: "https://evil.example/" });
  });
});

test("does not redirect to a provider that requires pushed authorization requests", async () => {
  const other = await openScriptedProvider();
  const defaults = (await (await other.defaultResponse("/.well-known/openid-configuration")).json()) as object;
  other.responses.set("/.well-known/openid-configuration", json({ ...defaults, require_pushed_authorization_requests: true }));
  await expect(other.signInAs(right)).rejects.toThrow();
  const { body } = await other.service.manage("GET", "/api/v2/logs?q=type:fc");
  expect(body).toMatchObject([
    { description: expect.stringContaining("the provider requires pushed authorization requests (PAR), which are not supported") },
  ]);
});
