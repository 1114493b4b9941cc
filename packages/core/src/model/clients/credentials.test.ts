import { expect, test } from "vitest";
import {
  clientCredentialSchema,
  createClientCredentialSchema,
  fromCreateClientCredential,
  fromUpdateClientCredential,
  toClientCredential,
  updateClientCredentialSchema,
} from "./credentials.ts";

const now = Date.UTC(2030, 0, 1);
const maker = { newCredentialId: () => "cred_0000000001", now };
const stored = fromCreateClientCredential(
  createClientCredentialSchema.parse({
    credential_type: "public_key",
    name: "Mine",
    alg: "ES256",
    kid: "my-own-key-1",
    pem: "PEM",
    parse_expiry_from_cert: false,
  }),
  maker,
);

test("a client's key is returned without its PEM", () => {
  expect(clientCredentialSchema.parse(toClientCredential(stored))).toEqual({
    id: "cred_0000000001",
    credential_type: "public_key",
    name: "Mine",
    alg: "ES256",
    kid: "my-own-key-1",
    created_at: "2030-01-01T00:00:00.000Z",
    updated_at: "2030-01-01T00:00:00.000Z",
  });
});

test("the expiry of a client's key can be set, left unchanged and removed", () => {
  const later = now + 1000;
  const expiring = fromUpdateClientCredential(stored, updateClientCredentialSchema.parse({ expires_at: "2031-01-01T00:00:00Z" }), later);
  expect(expiring).toEqual({ ...stored, expires_at: "2031-01-01T00:00:00.000Z", updated_at: "2030-01-01T00:00:01.000Z" });
  expect(fromUpdateClientCredential(expiring, {}, later)).toEqual(expiring);
  expect(fromUpdateClientCredential(expiring, { expires_at: null }, now)).toEqual(stored);
  expect(() => fromUpdateClientCredential(stored, { expires_at: "2029-01-01T00:00:00Z" }, now)).toThrow("'expires_at'");
});

test.each([
  ["pem", { pem: "" }],
  ["alg", { alg: "HS256" }],
  ["kid", { kid: "a b c d e f" }],
  ["name", { name: "a".repeat(129) }],
  ["expires_at", { expires_at: "tomorrow" }],
  ["credential_type", { credential_type: "cert_subject_dn" }],
])("rejects a client's key with an invalid %s: %j", (field, more) => {
  const issues = createClientCredentialSchema.safeParse({ credential_type: "public_key", pem: "PEM", ...more }).error?.issues;
  expect(issues?.[0]?.path).toEqual([field]);
});
