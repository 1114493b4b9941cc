import { appSessions, createSessions, type Sessions, type SessionStore } from "@postern/app";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestPostern } from "../support/postern.ts";
import { appUrl, secret } from "./app-browser.ts";

/** The rules of section 2.6 of the specification, with tokens that a key of the issuer signs whatever they contain. */

const issuer = "https://id.example.test/";
const event = "http://schemas.openid.net/event/backchannel-logout";
const now = Date.UTC(2026, 0, 1);
const seconds = now / 1000;

let rsa: CryptoKey;
let ec: CryptoKey;
let keys: object[];
let data: DataAdapter;
let store: SessionStore;
let sessions: Sessions;
let isJwksDown = false;

beforeAll(async () => {
  const [rsaPair, ecPair] = [await generateKeyPair("RS256"), await generateKeyPair("ES256")];
  [rsa, ec] = [rsaPair.privateKey, ecPair.privateKey];
  keys = [
    { ...(await exportJWK(rsaPair.publicKey)), kid: "rsa", alg: "RS256", use: "sig" },
    { ...(await exportJWK(ecPair.publicKey)), kid: "ec", alg: "ES256", use: "sig" },
  ];
});

beforeEach(async () => {
  isJwksDown = false;
  data = createMemoryAdapter({ strict: true });
  store = appSessions(data, { now: () => now });
  const { postern } = await createTestPostern();
  const fetch = async (): Promise<Response> => (isJwksDown ? new Response(null, { status: 503 }) : Response.json({ keys }));
  sessions = createSessions({
    postern: { issuer, fetch, tenant: postern.tenant },
    tenantId: "main",
    clientId: "app",
    appUrl,
    secret,
    store,
    now: () => now,
  });
  const rows = [
    ["a", "s1", "u1"],
    ["b", "s1", "u1"],
    ["c", "s2", "u1"],
    ["d", "s3", "u2"],
  ] as const;
  for (const [key, sid, sub] of rows)
    await store.set(key, { tenantId: "main", clientId: "app", sid, sub, content: "x", expiresAt: now + 1000 }, 0);
  await store.set("e", { tenantId: "main", clientId: "other", sid: "s1", sub: "u1", content: "x", expiresAt: now + 1000 }, 0);
});

const valid: JWTPayload = {
  iss: issuer,
  aud: "app",
  iat: seconds,
  exp: seconds + 120,
  jti: "j1",
  sub: "u1",
  sid: "s1",
  tenant_id: "main",
  events: { [event]: {} },
};

const sign = (payload: JWTPayload, header: object = {}, key = rsa): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "rsa", typ: "logout+jwt", ...header }).sign(key);

async function send(token: string): Promise<number> {
  const body = new URLSearchParams({ logout_token: token });
  const response = await sessions.handle(new Request(`${appUrl}backchannel-logout`, { method: "POST", body }));
  return response?.status ?? 0;
}

async function left(): Promise<string> {
  const found = await Promise.all(["a", "b", "c", "d", "e"].map(async (key) => ((await store.get(key)) === undefined ? "" : key)));
  return found.join("");
}

describe("a valid token", () => {
  test("deletes the sessions of its sid, of this app", async () => {
    expect(await send(await sign(valid))).toBe(200);
    expect(await left()).toBe("cde");
  });

  test("without a sid deletes all sessions of its sub, of this app", async () => {
    const { sid: _, ...rest } = valid;
    expect(await send(await sign(rest))).toBe(200);
    expect(await left()).toBe("de");
  });

  test("without a sub deletes the sessions of its sid", async () => {
    const { sub: _, ...rest } = valid;
    expect(await send(await sign(rest))).toBe(200);
    expect(await left()).toBe("cde");
  });

  test.each<[string, JWTPayload]>([
    ["with further claims", { ...valid, session_metadata: { plan: "pro" } }],
    ["with a further event", { ...valid, events: { [event]: {}, "https://example.test/other": {} } }],
    ["with several audiences", { ...valid, aud: ["app", "other"] }],
    ["whose clock is three seconds ahead", { ...valid, iat: seconds + 3 }],
  ])("%s is accepted", async (_, payload) => {
    expect(await send(await sign(payload))).toBe(200);
    expect(await left()).toBe("cde");
  });

  test("may have the algorithm ES256, and the type in its long form", async () => {
    expect(await send(await sign(valid, { alg: "ES256", kid: "ec", typ: "application/logout+jwt" }, ec))).toBe(200);
  });
});

describe("a token is rejected and deletes nothing", () => {
  const without = (...names: readonly string[]): JWTPayload =>
    Object.fromEntries(Object.entries(valid).filter(([each]) => !names.includes(each)));

  test.each<[string, JWTPayload, object?]>([
    ["with a nonce", { ...valid, nonce: "n1" }],
    ["with an empty nonce", { ...valid, nonce: "" }],
    ["without events", without("events")],
    ["with events that are no object", { ...valid, events: event }],
    ["with another event", { ...valid, events: { "https://example.test/other": {} } }],
    ["whose event is text", { ...valid, events: { [event]: "yes" } }],
    ["whose event is a list", { ...valid, events: { [event]: [] } }],
    ["whose event is null", { ...valid, events: { [event]: null } }],
    ["with neither sid nor sub", without("sid", "sub")],
    ["with an empty sid", { ...valid, sid: "" }],
    ["with a sid that is no text", { ...valid, sid: { gt: "" } }],
    ["without iat", without("iat")],
    ["without exp", without("exp")],
    ["without jti", without("jti")],
    ["without iss", without("iss")],
    ["without aud", without("aud")],
    ["of another issuer", { ...valid, iss: "https://other.example.test/" }],
    ["for another client", { ...valid, aud: "other" }],
    ["of another tenant", { ...valid, tenant_id: "other" }],
    ["without a tenant", without("tenant_id")],
    ["that has expired", { ...valid, iat: seconds - 200, exp: seconds - 80 }],
    ["from the future", { ...valid, iat: seconds + 60, exp: seconds + 180 }],
    ["that is too old, whatever its expiry", { ...valid, iat: seconds - 1000 }],
    ["that is not valid yet", { ...valid, nbf: seconds + 60 }],
    ["of the type JWT", valid, { typ: "JWT" }],
    ["of the type at+jwt", valid, { typ: "at+jwt" }],
    ["without a type", valid, { typ: undefined }],
    ["of an unknown key", valid, { kid: "other" }],
    ["with the key of another algorithm", valid, { kid: "ec" }],
  ])("%s", async (_, payload, header) => {
    expect(await send(await sign(payload, header))).toBe(400);
    expect(await left()).toBe("abcde");
  });
});

test("keys that cannot be read let the token be sent again", async () => {
  isJwksDown = true;
  await expect(sign(valid).then(send)).rejects.toThrow();
  expect(await left()).toBe("abcde");
  isJwksDown = false;
  expect(await send(await sign(valid))).toBe(200);
});
