import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { beforeAll, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, issuer, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";

type Algorithm = "RS256" | "ES256";

interface KeyClient {
  readonly id: string;
  readonly alg: Algorithm;
  readonly key: CryptoKey;
  readonly pem: string;
}

let service: TestPostern;
let manage: Manager;
let rsa: KeyClient;
let ec: KeyClient;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  [rsa, ec] = await Promise.all([keyClient("RS256"), keyClient("ES256")]);
});

/** Creates a client with a public key, and with a grant for the Management API. */
async function keyClient(alg: Algorithm, more: object = {}): Promise<KeyClient> {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const pem = await exportSPKI(publicKey);
  const client = await manage.create("/api/v2/clients", {
    name: `Key ${alg}`,
    app_type: "non_interactive",
    client_authentication_methods: { private_key_jwt: { credentials: [{ credential_type: "public_key", pem, alg, ...more }] } },
  });
  expect(client).not.toHaveProperty("client_secret");
  const id = stringMember(client, "client_id");
  await manage.create("/api/v2/client-grants", { client_id: id, audience: managementAudience, scope: ["read:users"] });
  return { id, alg, key: privateKey, pem };
}

const now = (): number => Math.floor(service.clock.now() / 1000);

function claims(client: KeyClient, changes: object = {}): JWTPayload {
  return { iss: client.id, sub: client.id, aud: issuer, jti: crypto.randomUUID(), iat: now(), exp: now() + 60, ...changes };
}

const signed = (client: KeyClient, changes: object = {}): Promise<string> =>
  new SignJWT(claims(client, changes)).setProtectedHeader({ alg: client.alg }).sign(client.key);

const present = (client_assertion: unknown, more: object = {}): Promise<ApiResponse> =>
  service.call("POST", "/oauth/token", {
    body: {
      grant_type: "client_credentials",
      audience: managementAudience,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion,
      ...more,
    },
  });

test("issues a token for an assertion that is signed with a registered key, RS256 or ES256, with or without client_id", async () => {
  for (const client of [rsa, ec]) {
    expect(await present(await signed(client))).toMatchObject({ status: 200, body: { scope: "read:users" } });
    expect(await present(await signed(client), { client_id: client.id })).toMatchObject({ status: 200 });
  }
});

test("accepts the issuer, with or without its slash, or the token endpoint as the audience, also in a list", async () => {
  for (const aud of [issuer, issuer.slice(0, -1), `${issuer}oauth/token`, ["https://else.example.test/", issuer]]) {
    expect(await present(await signed(ec, { aud }))).toMatchObject({ status: 200 });
  }
});

test("accepts an assertion once, even if eight requests send it in parallel", async () => {
  const assertion = await signed(ec);
  const responses = await Promise.all(Array.from({ length: 8 }, () => present(assertion)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const response of responses.filter(({ status }) => status !== 200)) expectError(response, 401, "invalid_client", "used before");
  // Another assertion with the same jti counts as the same one, unless it is another client's.
  const jti = crypto.randomUUID();
  expect(await present(await signed(ec, { jti }))).toMatchObject({ status: 200 });
  expectError(await present(await signed(ec, { jti, exp: now() + 90 })), 401, "invalid_client");
  expect(await present(await signed(rsa, { jti }))).toMatchObject({ status: 200 });
});

test("accepts an assertion within its lifetime, with ten seconds for clock skew", async () => {
  const at = (changes: object) => signed(ec, changes).then((assertion) => present(assertion));
  expectError(await at({ exp: now() - 11 }), 401, "invalid_client");
  expect(await at({ exp: now() - 9 })).toMatchObject({ status: 200 });
  expectError(await at({ exp: now() + 3601 }), 401, "invalid_client", "at most one hour");
  expect(await at({ exp: now() + 3600 })).toMatchObject({ status: 200 });
  expectError(await at({ nbf: now() + 60 }), 401, "invalid_client");
  expectError(await at({ exp: undefined }), 401, "invalid_client");
  expectError(await at({ jti: undefined }), 401, "invalid_client");
});

test("rejects an assertion with another audience, issuer, subject or client_id", async () => {
  for (const changes of [
    { aud: "https://else.example.test/" },
    { aud: managementAudience },
    { aud: [] as string[] },
    { aud: undefined },
    { iss: rsa.id },
    { iss: undefined },
  ]) {
    expectError(await present(await signed(ec, changes)), 401, "invalid_client");
  }
  expectError(await present(await signed(ec, { sub: rsa.id })), 401, "invalid_client");
  expectError(await present(await signed(ec, { sub: "unknown" })), 401, "invalid_client");
  expectError(await present(await signed(ec), { client_id: rsa.id }), 401, "invalid_client");
});

test("rejects an assertion that is signed with another key or not signed", async () => {
  const claimsOfEc = claims(ec);
  const foreign = await new SignJWT(claims(ec)).setProtectedHeader({ alg: "RS256" }).sign(rsa.key);
  const unknown = await new SignJWT(claims(ec)).setProtectedHeader({ alg: "ES256" }).sign((await generateKeyPair("ES256")).privateKey);
  // HS256 with the public key's text as its secret: an attack on libraries that trust the header's algorithm.
  const confused = await new SignJWT(claims(rsa)).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(rsa.pem));
  const [header = "", , signature = ""] = (await signed(ec)).split(".");
  const changed = `${header}.${Buffer.from(JSON.stringify({ ...claimsOfEc, sub: ec.id, admin: true })).toString("base64url")}.${signature}`;
  for (const assertion of [foreign, unknown, confused, changed, new UnsecuredJWT(claimsOfEc).encode(), `${header}.e30.`]) {
    expectError(await present(assertion), 401, "invalid_client");
  }
});

test("rejects any value that is not an assertion with a readable error", async () => {
  for (const assertion of ["", "a", "a.b.c", "..", 7, null, { a: 1 }, ["a"], "e30.e30.e30"]) {
    const response = await present(assertion);
    expect([400, 401]).toContain(response.status);
    expect(response.body).toMatchObject({ error: expect.stringMatching(/^invalid_(client|request)$/) });
  }
  expectError(await present(await signed(ec), { client_assertion_type: "saml" }), 400, "invalid_request", "client_assertion_type");
  expectError(await present(await signed(ec), { client_assertion_type: undefined }), 400, "invalid_request", "client_assertion_type");
});

test("rejects a secret of a client with a key, and an assertion of a client with a secret", async () => {
  const body = { grant_type: "client_credentials", audience: managementAudience };
  for (const client_secret of ["", "x", "undefined", "null"]) {
    expectError(await service.call("POST", "/oauth/token", { body: { ...body, client_id: ec.id, client_secret } }), 401, "invalid_client");
  }
  const plain: KeyClient = { ...ec, id: "main-manager" };
  expectError(await present(await signed(plain)), 401, "invalid_client");
});

test("a key stops working when it expires, and at once when it is removed", async () => {
  const expires_at = new Date(service.clock.now() + 600_000).toISOString();
  const client = await keyClient("ES256", { expires_at });
  expect(await present(await signed(client))).toMatchObject({ status: 200 });
  jsonBody(
    await manage("PATCH", `/api/v2/clients/${client.id}`, { client_authentication_methods: { private_key_jwt: { credentials: [] } } }),
  );
  expectError(await present(await signed(client)), 401, "invalid_client");

  const late = await keyClient("ES256", { expires_at });
  service.clock.advance("11m");
  expectError(await present(await signed(late)), 401, "invalid_client");
});
