import { generateKeyPairSync } from "node:crypto";
import { ManagementClient, ManagementError } from "auth0";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { object, text } from "../support/api.ts";
import type { ServedPostern } from "../support/http.ts";
import { clientSecret } from "../support/postern.ts";
import { serveTls } from "../support/tls.ts";

/** The vendor's own Node SDK, unmodified: every method of it that these routes answer. */

const password = "Correct-horse-1";

let service: ServedPostern;
let sdk: ManagementClient;
let userId: string;
let clientId: string;

beforeAll(async () => {
  service = await serveTls(() => ({ domainVerifier: { verify: async () => true } }));
  sdk = new ManagementClient({ domain: service.origin.slice("https://".length), clientId: "main-manager", clientSecret });
  userId = text(
    { ...(await sdk.users.create({ connection: "Username-Password-Authentication", email: "sdk@example.test", password })) },
    "user_id",
  );
  const client = await sdk.clients.create({
    name: "Native",
    app_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["password", "refresh_token"],
  });
  clientId = text({ ...client }, "client_id");
});

afterAll(async () => {
  await service.close();
  expect(service.faults).toEqual([]);
});

async function signIn(): Promise<void> {
  const body = { grant_type: "password", client_id: clientId, username: "sdk@example.test", password, scope: "openid offline_access" };
  object(await service.call("POST", "/oauth/token", { body }));
}

async function all<Item>(pages: Promise<AsyncIterable<Item>>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of await pages) found.push(item);
  return found;
}

const statusOf = async (call: Promise<unknown>): Promise<number | undefined> => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ManagementError) return error.statusCode;
  throw new Error(`no ManagementError: ${String(error)}`);
};

test("sessions and refresh tokens", async () => {
  for (let i = 0; i < 3; i++) await signIn();
  const sessions = await all(sdk.users.sessions.list(userId, { take: 2 }));
  expect(sessions).toHaveLength(3);
  const [first, second] = sessions.map(({ id = "" }) => id);
  if (first === undefined || second === undefined) throw new Error("no sessions");
  expect(await sdk.sessions.get(first)).toMatchObject({ id: first, user_id: userId, clients: [{ client_id: clientId }] });
  expect(await sdk.sessions.update(first, { session_metadata: { a: 1 } })).toMatchObject({ session_metadata: { a: 1 } });
  await sdk.sessions.delete(first);
  await sdk.sessions.revoke(second);
  expect(await statusOf(sdk.sessions.get(first))).toBe(404);

  const tokens = await all(sdk.users.refreshToken.list(userId, { take: 2 }));
  expect(tokens).toHaveLength(3);
  const id = tokens[0]?.id ?? "";
  expect(await sdk.refreshTokens.get(id)).toMatchObject({ id, user_id: userId, client_id: clientId, rotating: expect.any(Boolean) });
  expect(await sdk.refreshTokens.update(id, { refresh_token_metadata: { b: 2 } })).toMatchObject({ refresh_token_metadata: { b: 2 } });
  await sdk.refreshTokens.delete(id);
  expect(await statusOf(sdk.refreshTokens.get(id))).toBe(404);
  await sdk.users.refreshToken.delete(userId);
  expect(await all(sdk.users.refreshToken.list(userId))).toHaveLength(2);
  await sdk.users.sessions.delete(userId);
  expect(await all(sdk.users.sessions.list(userId))).toEqual([]);
});

test("branding and attack protection", async () => {
  const logo = "https://cdn.example.test/logo.png";
  expect(await sdk.branding.update({ colors: { primary: "#112233" }, logo_url: logo })).toMatchObject({ logo_url: logo });
  expect(await sdk.branding.get()).toMatchObject({ colors: { primary: "#112233" }, logo_url: logo });
  expect(await sdk.attackProtection.bruteForceProtection.update({ max_attempts: 7, allowlist: ["192.0.2.1"] })).toMatchObject({
    max_attempts: 7,
  });
  expect(await sdk.attackProtection.bruteForceProtection.get()).toMatchObject({ max_attempts: 7, allowlist: ["192.0.2.1"] });
  expect(
    await sdk.attackProtection.suspiciousIpThrottling.update({ stage: { "pre-login": { max_attempts: 9, rate: 34_560 } } }),
  ).toMatchObject({ enabled: true });
  expect(await sdk.attackProtection.suspiciousIpThrottling.get()).toMatchObject({ stage: { "pre-login": { max_attempts: 9 } } });
});

test("custom domains", async () => {
  const made = await sdk.customDomains.create({ domain: "login.sdk.example", type: "self_managed_certs" });
  const id = made.custom_domain_id;
  expect(made).toMatchObject({ status: "pending_verification", verification: { methods: [{ name: "txt" }] } });
  expect(await sdk.customDomains.list()).toEqual([made]);
  expect(await sdk.customDomains.update(id, { domain_metadata: { a: "1" } })).toMatchObject({ domain_metadata: { a: "1" } });
  expect(await sdk.customDomains.verify(id)).toMatchObject({ status: "ready" });
  expect(await sdk.customDomains.get(id)).toMatchObject({ status: "ready", domain: "login.sdk.example" });
  await sdk.customDomains.delete(id);
  expect(await statusOf(sdk.customDomains.get(id))).toBe(404);
});

describe("clients", () => {
  test("and their keys", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = String(publicKey.export({ type: "spki", format: "pem" }));
    const made = await sdk.clients.credentials.create(clientId, { credential_type: "public_key", name: "Key", pem, alg: "RS256" });
    const id = made.id ?? "";
    expect(await sdk.clients.credentials.list(clientId)).toEqual([made]);
    expect(await sdk.clients.credentials.get(clientId, id)).toEqual(made);
    const expiry = new Date(Date.now() + 86_400_000).toISOString();
    expect(await sdk.clients.credentials.update(clientId, id, { expires_at: expiry })).toMatchObject({ expires_at: expiry });
    await sdk.clients.credentials.delete(clientId, id);
    expect(await sdk.clients.credentials.list(clientId)).toEqual([]);
  });

  test("and their connections", async () => {
    const { id = "" } = await sdk.connections.create({ name: "codes", strategy: "email" });
    expect((await all(sdk.clients.connections.get(clientId, { take: 1 }))).map((one) => one.id)).toContain(id);
    expect((await all(sdk.connections.clients.get(id, { take: 1 }))).map((one) => one.client_id)).toContain(clientId);
    await sdk.connections.clients.update(id, [{ client_id: clientId, status: false }]);
    expect((await all(sdk.clients.connections.get(clientId))).map((one) => one.id)).not.toContain(id);
  });
});

test("signing keys", async () => {
  const [before] = await sdk.keys.signing.list();
  expect(before).toMatchObject({ current: true, revoked: false, cert: expect.stringContaining("BEGIN CERTIFICATE") });
  const made = await sdk.keys.signing.rotate();
  expect(await sdk.keys.signing.get(made.kid)).toMatchObject({ kid: made.kid, current: true });
  const kid = before?.kid ?? "";
  expect(await sdk.keys.signing.revoke(kid)).toMatchObject({ kid });
  // The SDK's token was signed with it; a new client gets another.
  expect(await statusOf(sdk.keys.signing.list())).toBe(401);
  const again = new ManagementClient({ domain: service.origin.slice("https://".length), clientId: "main-manager", clientSecret });
  expect(await again.keys.signing.list()).toMatchObject([
    { kid, revoked: true, current: false },
    { kid: made.kid, current: true },
  ]);
});
