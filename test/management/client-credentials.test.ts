import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { calculateJwkThumbprint, importPKCS8, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, issuer, managementAudience, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

const spki = { publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "pkcs8", format: "pem" } } as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048, ...spki });
const weak = generateKeyPairSync("rsa", { modulusLength: 1024, ...spki });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256", ...spki });

let service: TestPostern;
let manage: Manager;
let clientId: string;
let base: string;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  clientId = stringMember(await manage.create("/api/v2/clients", { name: "App", app_type: "non_interactive" }), "client_id");
  base = `/api/v2/clients/${clientId}/credentials`;
});

const add = (more: object = {}) => manage.create(base, { credential_type: "public_key", pem: rsa.publicKey, ...more });

describe("a key of a client", () => {
  test("can be added, read without the key material, updated with another expiry and deleted", async () => {
    const now = new Date(service.clock.now()).toISOString();
    const made = await add({ name: "First" });
    expect(made).toEqual({
      id: expect.stringMatching(/^cred_/),
      credential_type: "public_key",
      name: "First",
      kid: await calculateJwkThumbprint(createPublicKey(rsa.publicKey)),
      alg: "RS256",
      created_at: now,
      updated_at: now,
    });
    const path = `${base}/${stringMember(made, "id")}`;
    expect(jsonBody(await manage("GET", path))).toEqual(made);
    expect(list(await manage("GET", base))).toEqual([made]);
    const expiry = "2027-01-01T00:00:00.000Z";
    expect(jsonBody(await manage("PATCH", path, { expires_at: expiry }))).toEqual({ ...made, expires_at: expiry });
    expect(jsonBody(await manage("PATCH", path, {}))).toMatchObject({ expires_at: expiry });
    expect(jsonBody(await manage("PATCH", path, { expires_at: null }))).toEqual(made);
    for (let i = 0; i < 2; i++) expect(await manage("DELETE", path)).toMatchObject({ status: 204 });
    expectError(await manage("GET", path), 404, "not_found");
    expectError(await manage("PATCH", path, { expires_at: null }), 404, "not_found");
    expect(list(await manage("GET", base))).toEqual([]);
  });

  test("takes its expiry from a certificate", async () => {
    await manage("POST", "/api/v2/keys/signing/rotate", { type: "saml_encryption", validity_days: 30 });
    const [key = {}] = list(await manage("GET", "/api/v2/keys/signing?type=saml_encryption"));
    const made = await add({ pem: stringMember(key, "cert"), parse_expiry_from_cert: true });
    const kid = await calculateJwkThumbprint(createPublicKey(stringMember(key, "cert")));
    expect(made).toMatchObject({ kid, expires_at: key["expires_at"] });
    expectError(
      await manage("POST", base, { credential_type: "public_key", pem: rsa.publicKey, parse_expiry_from_cert: true }),
      400,
      "invalid_request",
      "'parse_expiry_from_cert'",
    );
    expectError(
      await manage("POST", base, {
        credential_type: "public_key",
        pem: stringMember(key, "cert"),
        parse_expiry_from_cert: true,
        expires_at: "2027-01-01T00:00:00Z",
      }),
      400,
      "invalid_request",
      "'expires_at'",
    );
  });

  test("authenticates the client while its settings contain the key, and no longer after its deletion", async () => {
    const made = await add({ pem: ec.publicKey, alg: "ES256", kid: "my-own-key-id" });
    expect(made).toMatchObject({ kid: "my-own-key-id", alg: "ES256" });
    const methods = { private_key_jwt: { credentials: [{ id: made["id"] }] } };
    jsonBody(await manage("PATCH", `/api/v2/clients/${clientId}`, { client_authentication_methods: methods }));
    await manage.create("/api/v2/client-grants", { client_id: clientId, audience: managementAudience, scope: ["read:users"] });
    const requestToken = async () => {
      const now = Math.floor(service.clock.now() / 1000);
      const assertion = await new SignJWT({ jti: `${Math.random()}` })
        .setProtectedHeader({ alg: "ES256", kid: "my-own-key-id" })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(issuer)
        .setIssuedAt(now)
        .setExpirationTime(now + 60)
        .sign(await importPKCS8(String(ec.privateKey), "ES256"));
      const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
      return service.call("POST", "/oauth/token", {
        body: { grant_type: "client_credentials", audience: managementAudience, client_assertion: assertion, client_assertion_type: type },
      });
    };
    expect(await requestToken()).toMatchObject({ status: 200 });
    expect(await manage("DELETE", `${base}/${stringMember(made, "id")}`)).toMatchObject({ status: 204 });
    expect(await requestToken()).toMatchObject({ status: 401 });
  });

  test.each([
    [{ pem: "no key" }, "'pem'"],
    [{ pem: rsa.privateKey }, "'pem'"],
    [{ pem: weak.publicKey }, "'pem'"],
    [{ pem: ec.publicKey }, "'pem'"],
    [{ pem: rsa.publicKey, alg: "ES256" }, "'pem'"],
    [{ pem: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", parse_expiry_from_cert: true }, "'pem'"],
    [{ alg: "HS256" }, "'alg'"],
    [{ kid: "short" }, "'kid'"],
    [{ credential_type: "x509_cert" }, "'credential_type'"],
    [{ expires_at: "tomorrow" }, "'expires_at'"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "'expires_at'"],
    [{ name: "x".repeat(129) }, "'name'"],
    [{ id: "cred_x" }, "'id'"],
  ])("is rejected with %o, and the error names the field", async (body, says) => {
    expectError(await manage("POST", base, { credential_type: "public_key", pem: rsa.publicKey, ...body }), 400, "invalid_request", says);
    expect(list(await manage("GET", base))).toEqual([]);
  });

  test("is validated in a client's settings as well", async () => {
    const methods = (key: object) => ({ private_key_jwt: { credentials: [{ credential_type: "public_key", ...key }] } });
    const path = `/api/v2/clients/${clientId}`;
    const bad = { client_authentication_methods: methods({ pem: ec.publicKey }) };
    expectError(await manage("PATCH", path, bad), 400, "invalid_request", "'pem'");
    expectError(await manage("POST", "/api/v2/clients", { name: "Bad", ...bad }), 400, "invalid_request", "'pem'");
    await manage("POST", "/api/v2/keys/signing/rotate", { type: "saml_encryption", validity_days: 30 });
    const [key = {}] = list(await manage("GET", "/api/v2/keys/signing?type=saml_encryption"));
    jsonBody(await manage("PATCH", path, { client_authentication_methods: methods({ pem: key["cert"], parse_expiry_from_cert: true }) }));
    const kid = await calculateJwkThumbprint(createPublicKey(stringMember(key, "cert")));
    expect(list(await manage("GET", base))).toMatchObject([{ kid, expires_at: key["expires_at"] }]);
  });

  test("has a unique kid, and a client has at most 20 keys", async () => {
    await add({ kid: "taken-key-id" });
    expectError(
      await manage("POST", base, { credential_type: "public_key", pem: rsa.publicKey, kid: "taken-key-id" }),
      409,
      "conflict",
      "'kid'",
    );
    for (let i = 0; i < 19; i++) await add({ kid: `another-key-${i}` });
    expectError(await manage("POST", base, { credential_type: "public_key", pem: rsa.publicKey }), 409, "conflict", "20");
    expect(list(await manage("GET", base))).toHaveLength(20);
  });

  test("of an unknown client or a client of another tenant responds with 404", async () => {
    const made = await add();
    const other = await managerOf(service, "other");
    const body = { credential_type: "public_key", pem: rsa.publicKey };
    for (const [call, path] of [
      [manage, "/api/v2/clients/unknown/credentials"],
      [other, base],
    ] as const) {
      expect(expectError(await call("GET", path), 404, "not_found")).toMatchObject({ errorCode: "inexistent_client" });
      expectError(await call("POST", path, body), 404, "not_found");
      expectError(await call("GET", `${path}/${stringMember(made, "id")}`), 404, "not_found");
      expectError(await call("PATCH", `${path}/${stringMember(made, "id")}`, { expires_at: null }), 404, "not_found");
      expectError(await call("DELETE", `${path}/${stringMember(made, "id")}`), 404, "not_found");
    }
    expect(list(await manage("GET", base))).toEqual([made]);
  });
});

test("each route of client credentials requires its scope", async () => {
  const all = ["read", "create", "update", "delete"].map((verb) => `${verb}:client_credentials`);
  for (const [method, path, scope, body] of [
    ["GET", base, "read:client_credentials", undefined],
    ["POST", base, "create:client_credentials", {}],
    ["GET", `${base}/x`, "read:client_credentials", undefined],
    ["PATCH", `${base}/x`, "update:client_credentials", {}],
    ["DELETE", `${base}/x`, "delete:client_credentials", undefined],
  ] as const) {
    expectError(await service.call(method, path), 401, "invalid_token");
    const token = await tokenWith(
      service,
      manage,
      all.filter((name) => name !== scope),
    );
    expectError(await service.call(method, path, { token, ...(body && { body }) }), 403, "insufficient_scope", scope);
  }
});
