import { exportSPKI, generateKeyPair } from "jose";
import { beforeAll, expect, test } from "vitest";
import { openDocumentService, type DocumentService } from "../client-documents/documents.ts";
import { createProver } from "../dpop/prover.ts";
import { createKeyClient, type KeyClient } from "../fapi/key-client.ts";
import { openPushed, push, pushedUri } from "../par/pushing.ts";
import { expectError, jsonBody } from "../support/api.ts";
import { authorizeParameters, errorParameters, login, sendAuthorization, successParameters } from "../support/flow.ts";
import { openObject, requestObject } from "./signing.ts";

let service: DocumentService;
let app: KeyClient;
beforeAll(async () => {
  service = await openDocumentService();
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { pushed_authorization_requests_supported: true }));
  app = await createKeyClient(service, "ES256", { signed_request_object: { required: true } });
  service.clock.advance("6s");
});

/** Pushes a request that contains only an object and the credentials of the client. */
const pushObject = async (request: string | undefined, more: { readonly [name: string]: string | undefined } = {}) => {
  const none = Object.fromEntries(Object.keys(authorizeParameters(app)).map((name) => [name, undefined]));
  return push(service, app, { ...none, ...(await app.credentials()), request, ...more });
};

test("a client that must sign its requests is rejected without an object, also if it pushes its requests", async () => {
  const redirected = await sendAuthorization(service.browser(), app);
  expect(errorParameters(redirected)).toMatchObject({ error: "invalid_request", state: "st-1" });
  expectError(await push(service, app, await app.credentials()), 400, "invalid_request", "signed request objects");
});

test("a client that must sign its requests cannot start a login by a link", async () => {
  const mailing = await openDocumentService();
  jsonBody(await mailing.manage("POST", "/api/v2/connections", { name: "email", strategy: "email" }), 201);
  const client = await createKeyClient(mailing, "ES256", { signed_request_object: { required: true } });
  const start = async (send: string) => {
    const link = {
      client_id: client.clientId,
      connection: "email",
      email: "x@example.test",
      send,
      authParams: authorizeParameters(client),
    };
    return mailing.call("POST", "/passwordless/start", { body: { ...link, ...(await client.credentials()) } });
  };
  expectError(await start("link"), 400, "invalid_request", "signed request objects");
  expect((await start("code")).status).toBe(200);
});

test("a client that must sign its requests gets only what it signed", async () => {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const request = await requestObject(service, app, { claims: { state: undefined, nonce: undefined } });
  expect(successParameters(await openObject(browser, app, request, authorizeParameters(app)))).not.toHaveProperty("state");
});

test("a pushed object leads to a code, and parameters beside it do not count", async () => {
  const request = await requestObject(service, app, { claims: { state: undefined } });
  const response = await pushObject(request, { scope: "openid", response_type: "code", state: "outer" });
  const { request_uri: uri } = jsonBody(response, 201);
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  expect(successParameters(await openPushed(browser, app, String(uri)))).not.toHaveProperty("state");
});

test("a client that need not sign can push an object", async () => {
  const free = await createKeyClient(service, "PS256");
  const uri = await pushedUri(service, free, { ...(await free.credentials()), request: await requestObject(service, free) });
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  expect(successParameters(await openPushed(browser, free, uri))["state"]).toBe("inner");
});

test("a pushed object is rejected with 400, and must not contain a request_uri", async () => {
  for (const claims of [{ aud: "https://other.example.test/" }, { request_uri: "urn:x" }, { redirect_uri: undefined, client_id: "x" }])
    expectError(await pushObject(await requestObject(service, app, { claims })), 400, "invalid_request_object");
});

test("a DPoP proof and dpop_jkt in the object must name the same key", async () => {
  const [prover, other] = await Promise.all([createProver(service), createProver(service)]);
  const pushProven = async (dpop_jkt: string) => {
    const none = Object.fromEntries(Object.keys(authorizeParameters(app)).map((name) => [name, undefined]));
    const sent = { ...none, ...(await app.credentials()), request: await requestObject(service, app, { claims: { dpop_jkt } }) };
    return push(service, app, sent, { dpop: await prover.prove("POST", "/oauth/par") });
  };
  expect((await pushProven(prover.jkt)).status).toBe(201);
  expectError(await pushProven(other.jkt), 400, "invalid_dpop_proof");
});

test("FAPI requires PS256 or better, exp and nbf, at most an hour from now and from each other", async () => {
  const level = { compliance_level: "fapi2_sp_pkj_mtls", jwt_configuration: { alg: "PS256" } };
  const fapi = await createKeyClient(service, "ES256", level);
  const pushed = async (claims: object) =>
    push(service, fapi, { ...(await fapi.credentials()), request: await requestObject(service, fapi, { claims: { ...claims } }) });
  const now = Math.floor(service.clock.now() / 1000);
  for (const claims of [{ exp: undefined }, { nbf: undefined }, { exp: now + 3700 }, { nbf: now - 3700 }, { nbf: now + 60 }])
    expectError(await pushed(claims), 400, "invalid_request_object");
  expectError(await pushed({ nbf: now - 1800, exp: now + 1900 }), 400, "invalid_request_object");
  expect((await pushed({ nbf: now - 1800, exp: now + 1800 })).status).toBe(201);
  expect((await pushed({ nbf: now + 8 })).status).toBe(201);
  expect((await pushed({ aud: [service.postern.issuer, "https://other.example.test/"] })).status).toBe(201);
});

test("stored keys for request objects count, and are apart from those for client assertions", async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const pem = await exportSPKI(publicKey);
  const credentials = [{ credential_type: "public_key", pem, alg: "RS256", kid: "object-key-1" }];
  const client = await createKeyClient(service, "ES256");
  const path = `/api/v2/clients/${client.clientId}`;
  const changed = jsonBody(await service.manage("PATCH", path, { signed_request_object: { required: true, credentials } }));
  expect(changed["signed_request_object"]).toEqual({ required: true, credentials: [{ id: expect.stringMatching(/^cred_/) }] });
  service.clock.advance("6s");
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const signed = await requestObject(service, client, { key: privateKey, header: { alg: "RS256", kid: "object-key-1" } });
  expect(successParameters(await openObject(browser, client, signed))["state"]).toBe("inner");
  const result = await openObject(browser, client, await requestObject(service, client), { redirect_uri: client.redirectUri });
  expect(errorParameters(result)).toMatchObject({ error: "invalid_request_object" });
  expect((await push(service, client, { ...(await client.credentials()), request: signed })).status).toBe(201);
});

test("the last key for request objects cannot be deleted while they are required, and no other key replaces a deleted one", async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const credentials = [{ credential_type: "public_key", pem: await exportSPKI(publicKey), alg: "RS256", kid: "object-key-2" }];
  const client = await createKeyClient(service, "ES256", { signed_request_object: { required: true, credentials } });
  const path = `/api/v2/clients/${client.clientId}`;
  const { signed_request_object: settings } = jsonBody(await service.manage("GET", path));
  const [{ id }] = (settings as { credentials: [{ id: string }] }).credentials;
  expectError(await service.manage("DELETE", `${path}/credentials/${id}`), 409, "conflict", "signed_request_object");
  jsonBody(await service.manage("PATCH", path, { signed_request_object: { required: false, credentials: [{ id }] } }));
  expect((await service.manage("DELETE", `${path}/credentials/${id}`)).status).toBe(204);
  service.clock.advance("6s");
  const signed = await requestObject(service, client, { key: privateKey, header: { alg: "RS256", kid: "object-key-2" } });
  for (const object of [signed, await requestObject(service, client)]) {
    const result = await openObject(service.browser(), client, object, { redirect_uri: client.redirectUri });
    expect(errorParameters(result)).toMatchObject({ error: "invalid_request_object" });
  }
  expect(jsonBody(await service.manage("GET", path))["signed_request_object"]).toEqual({ required: false, credentials: [] });
});

test("requiring signed requests needs keys", async () => {
  const body = { name: "App", signed_request_object: { required: true } };
  expectError(await service.manage("POST", "/api/v2/clients", body), 400, "invalid_request", "signed_request_object");
});
