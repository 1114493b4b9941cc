import { generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { beforeEach, expect, test } from "vitest";
import { testServiceContext } from "../../test/service-context.ts";
import { createManualClock } from "../adapters/clock.ts";
import type { KeyStore, StoredSigningKey } from "./keys/signing-keys.ts";
import { managementScopes } from "../model/scopes.ts";
import { createTokenVerifier, maxTokenLength, tokenCacheLimits, type TokenVerifier } from "./verify.ts";

const keys = await generateKeyPair("ES256", { extractable: true });
const clock = createManualClock(1_700_000_000_000);
const key = { kid: "1", alg: "ES256", tenant_id: "acme", revoked_at: null, retires_at: null } as StoredSigningKey;
let verifier: TokenVerifier;
/** The number of signatures that were verified. */
let verified = 0;

const store = { publicKey: async () => (verified++, keys.publicKey) } as Pick<KeyStore, "publicKey"> as KeyStore;
const context = testServiceContext({ clock });

beforeEach(() => {
  verified = 0;
  verifier = createTokenVerifier(context, store);
});

/** Signs a token of about this length. */
const token = (id: number, length: number, lifetime = 3600): Promise<string> =>
  sign({ id, filler: "x".repeat(Math.floor(((length - 200) * 3) / 4)) }, lifetime);

const sign = (claims: JWTPayload, lifetime = 3600): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: "1" })
    .setExpirationTime(clock.now() / 1000 + lifetime)
    .sign(keys.privateKey);

test("limits the cache to 5,000 tokens and 32 MiB", () => {
  expect(tokenCacheLimits).toEqual({ entries: 5000, bytes: 32 * 1024 * 1024 });
});

test("limits the total size of the cached tokens", async () => {
  const bytes = 200_000;
  const limited = createTokenVerifier(context, store, { entries: 5000, bytes });
  for (let id = 0; id < 20; id++) {
    await limited.verify(await token(id, 8000), [key]);
    expect(limited.cachedBytes).toBeLessThanOrEqual(bytes);
  }
  expect(limited.cachedBytes).toBeGreaterThan(bytes / 2);
});

test("limits the number of the cached tokens, and removes the least recently used one", async () => {
  const limited = createTokenVerifier(context, store, { ...tokenCacheLimits, entries: 2 });
  const [first, second, third] = await Promise.all([token(1, 500), token(2, 500), token(3, 500)]);
  for (const each of [first, second, first, third, first]) await limited.verify(each, [key]);
  expect(verified).toBe(3);
  await limited.verify(second, [key]);
  expect(verified).toBe(4);
});

test("verifies a token of more than 8 kB each time and does not cache it", async () => {
  const long = await token(1, 10_000);
  for (let i = 0; i < 3; i++) expect(await verifier.verify(long, [key])).toMatchObject({ id: 1 });
  expect([verified, verifier.cachedBytes]).toEqual([3, 0]);

  const short = await token(2, 1000);
  for (let i = 0; i < 3; i++) expect(await verifier.verify(short, [key])).toMatchObject({ id: 2 });
  expect(verified).toBe(4);
  expect(verifier.cachedBytes).toBeGreaterThan(short.length);
});

test("caches a Management API token that has every scope", async () => {
  const scope = managementScopes.map(({ value }) => value).join(" ");
  // The other claims and an RS256 signature take less than 1,500 characters.
  const all = await sign({ scope, filler: "x".repeat(1100) });
  for (let i = 0; i < 3; i++) await verifier.verify(all, [key]);
  expect(verified).toBe(1);
});

test("rejects other claims with the signature of a cached token, and keeps that token", async () => {
  const own = await sign({ id: 1 });
  await verifier.verify(own, [key]);
  const [header, , signature] = own.split(".");
  const claims = Buffer.from(JSON.stringify({ id: 2, exp: clock.now() / 1000 + 3600 })).toString("base64url");
  const forged = `${header}.${claims}.${signature}`;
  expect(verifier.peek(forged)?.payload).toMatchObject({ id: 2 });
  await expect(verifier.verify(forged, [key])).rejects.toMatchObject({ code: "invalid_token" });
  expect(await verifier.verify(own, [key])).toMatchObject({ id: 1 });
  expect(verified).toBe(2);
});

test("rejects a token that is longer than the maximum without decoding it", async () => {
  const long = await token(1, 367_000);
  expect(long.length).toBeGreaterThan(maxTokenLength);
  expect(verifier.peek(long)).toBeUndefined();
  await expect(verifier.verify(long, [key])).rejects.toMatchObject({ code: "invalid_token" });
  expect([verified, verifier.cachedBytes]).toEqual([0, 0]);
});

test("removes an expired token from the cache when it is presented, and any token after ten minutes", async () => {
  const short = await token(1, 1000, 60);
  await verifier.verify(short, [key]);
  clock.advance("60s");
  await expect(verifier.verify(short, [key])).rejects.toMatchObject({ code: "invalid_token" });
  expect(verifier.cachedBytes).toBe(0);

  const tokens = await Promise.all(Array.from({ length: 20 }, (_, id) => token(id, 1000)));
  for (const one of tokens) await verifier.verify(one, [key]);
  const bytes = verifier.cachedBytes;
  clock.advance("10m");
  for (let id = 20; id < 28; id++) await verifier.verify(await token(id, 1000), [key]);
  expect(verifier.cachedBytes).toBeLessThan(bytes / 2);
});
