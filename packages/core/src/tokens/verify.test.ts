import { generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { beforeEach, expect, test } from "vitest";
import { testServiceContext } from "../../test/service-context.ts";
import { createManualClock } from "../adapters/clock.ts";
import type { KeyStore, StoredSigningKey } from "./keys/signing-keys.ts";
import { managementScopes } from "../model/scopes.ts";
import { createTokenVerifier, maxTokenLength, type TokenVerifier } from "./verify.ts";

const keys = await generateKeyPair("ES256", { extractable: true });
const clock = createManualClock(1_700_000_000_000);
const key = { kid: "1", alg: "ES256", tenant_id: "acme", revoked_at: null, retires_at: null } as StoredSigningKey;
let verifier: TokenVerifier;
/** The number of signatures that were verified. */
let verified = 0;

beforeEach(() => {
  verified = 0;
  const store = { publicKey: async () => (verified++, keys.publicKey) } as Pick<KeyStore, "publicKey"> as KeyStore;
  verifier = createTokenVerifier(testServiceContext({ clock }), store);
});

/** Signs a token of about this length. */
const token = (id: number, length: number, lifetime = 3600): Promise<string> =>
  sign({ id, filler: "x".repeat(Math.floor(((length - 200) * 3) / 4)) }, lifetime);

const sign = (claims: JWTPayload, lifetime = 3600): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", kid: "1" })
    .setExpirationTime(clock.now() / 1000 + lifetime)
    .sign(keys.privateKey);

const maxCachedBytes = 32 * 1024 * 1024;

test("limits the cache to 32 MiB when 5,000 tokens of 8 kB are verified", async () => {
  for (let id = 0; id < 5000; id++) {
    await verifier.verify(await token(id, 8000), [key]);
    expect(verifier.cachedBytes).toBeLessThanOrEqual(maxCachedBytes);
  }
  expect(verifier.cachedBytes).toBeGreaterThan(maxCachedBytes / 2);
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

  const tokens = await Promise.all(Array.from({ length: 100 }, (_, id) => token(id, 1000)));
  for (const one of tokens) await verifier.verify(one, [key]);
  const bytes = verifier.cachedBytes;
  clock.advance("10m");
  for (let id = 100; id < 140; id++) await verifier.verify(await token(id, 1000), [key]);
  expect(verifier.cachedBytes).toBeLessThan(bytes / 2);
});
