import { beforeAll, expect, test } from "vitest";
import { openDocumentService, type DocumentService } from "../client-documents/documents.ts";
import { createProver, exchangeWithProof, type Prover } from "../dpop/prover.ts";
import { openPushed, push, pushedUri } from "../par/pushing.ts";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { claimsOf, codeGrant, login, sendAuthorization, successParameters, tokens, type AuthorizationParameters } from "../support/flow.ts";
import { decodeProtectedHeader } from "jose";
import { createKeyClient, type KeyClient } from "./key-client.ts";

const level = { compliance_level: "fapi2_sp_pkj_mtls", jwt_configuration: { alg: "PS256" } };
let service: DocumentService;
let app: KeyClient;
let prover: Prover;

beforeAll(async () => {
  service = await openDocumentService();
  app = await createKeyClient(service, "PS256", level);
  prover = await createProver(service);
});

/** Pushes a request and opens it in a browser with a session. @returns the body of the exchange, without credentials. */
async function pushedCode(parameters: AuthorizationParameters = {}): Promise<{ readonly [name: string]: string }> {
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  const uri = await pushedUri(service, app, { ...(await app.credentials()), scope: "openid offline_access", ...parameters });
  const { code = "" } = successParameters(await openPushed(browser, app, uri));
  return codeGrant(app, code);
}

/** Sends a token request with a proof, and with a new client assertion for each attempt. */
const exchange = (body: { readonly [name: string]: string }, by = prover) =>
  exchangeWithProof(service, by, async () => ({ ...body, ...(await app.credentials()) }));

test("signs in with a pushed request, private_key_jwt and DPoP, and gets an ID token of the chosen algorithm", async () => {
  const response = await exchange(await pushedCode());
  const { access, id } = tokens(response);
  expect(response.body).toMatchObject({ token_type: "DPoP" });
  expect([claimsOf(access)["cnf"], decodeProtectedHeader(id).alg]).toEqual([{ jkt: prover.jkt }, "PS256"]);
});

test("binds tokens for every API, also for one without proof_of_possession", async () => {
  const identifier = "https://any.example.test/";
  await service.manage.create("/api/v2/resource-servers", { identifier });
  const response = await exchange(await pushedCode({ audience: identifier }));
  expect(response.body).toMatchObject({ token_type: "DPoP" });
});

test("rejects an authorization request that is not pushed, on a page", async () => {
  expect(await sendAuthorization(service.browser(), app)).toMatchObject({ kind: "page", status: 400 });
});

test.each([
  ["without PKCE", { code_challenge: undefined, code_challenge_method: undefined }],
  ["without a redirect URI", { redirect_uri: undefined }],
  ["for a code and an ID token", { response_type: "code id_token" }],
  ["for a token", { response_type: "token" }],
])("rejects a pushed request %s", async (_, parameters) => {
  expect((await push(service, app, { ...(await app.credentials()), ...parameters })).status).toBe(400);
});

test("rejects a token request without a proof, and with a proof of RS256", async () => {
  const body = await pushedCode();
  expectError(await service.exchange({ ...body, ...(await app.credentials()) }), 400, "invalid_request", "proof is required");
  const rsa = await createProver(service, "RS256");
  expectError(await exchange(body, rsa), 400, "invalid_dpop_proof");
});

test.each([
  ["with the issuer in a list", () => ({ aud: [service.postern.issuer] })],
  ["for the token endpoint", () => ({ aud: `${service.postern.issuer}oauth/token` })],
  ["for the endpoint of pushed requests", () => ({ aud: `${service.postern.issuer}oauth/par` })],
  ["that was issued a minute in the future", () => ({ iat: Math.floor(service.clock.now() / 1000) + 60 })],
  ["that is valid from a minute in the future", () => ({ nbf: Math.floor(service.clock.now() / 1000) + 60 })],
  ["that has expired", () => ({ exp: Math.floor(service.clock.now() / 1000) - 300 })],
])("rejects a client assertion %s", async (_, claims) => {
  expectError(await push(service, app, await app.credentials(claims())), 401, "invalid_client");
});

test("accepts a client assertion of a clock that is eight seconds ahead, and rejects one of RS256", async () => {
  const iat = Math.floor(service.clock.now() / 1000) + 8;
  expect((await push(service, app, await app.credentials({ iat, nbf: iat }))).status).toBe(201);
  const rsa = await createKeyClient(service, "RS256");
  const path = `/api/v2/clients/${rsa.clientId}`;
  expect((await push(service, rsa, await rsa.credentials())).status).toBe(404);
  jsonBody(await service.manage("PATCH", path, level));
  service.clock.advance("6s");
  expectError(await push(service, rsa, await rsa.credentials()), 401, "invalid_client");
});

test("a refresh keeps the token, and binds each access token", async () => {
  const { refresh } = tokens(await exchange(await pushedCode()));
  const body = { grant_type: "refresh_token", client_id: app.clientId, refresh_token: refresh };
  const renewed = await exchange(body);
  expect(renewed.body).toMatchObject({ token_type: "DPoP" });
  expect(renewed.body).not.toHaveProperty("refresh_token");
});

test.each([
  ["another method", { token_endpoint_auth_method: "client_secret_post" }, "private_key_jwt"],
  ["RS256", { jwt_configuration: { alg: "RS256" } }, "PS256"],
  ["rotating refresh tokens", { refresh_token: { rotation_type: "rotating", expiration_type: "expiring" } }, "rotate"],
  ["another level", { compliance_level: "fapi1_adv_pkj_par" }, "compliance_level"],
])("is not combined with %s", async (_, change, text) => {
  const response = await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, change);
  expectError(response, 400, "invalid_request");
  expect(stringMember(jsonBody(response, 400), "error_description")).toContain(text);
});

test("allows no grant that signs users in without a pushed request", async () => {
  const direct = await createKeyClient(service, "PS256", { ...level, grant_types: ["password"] });
  const body = { grant_type: "password", username: service.ada.email, password: service.ada.password };
  const response = await exchangeWithProof(service, prover, async () => ({ ...body, ...(await direct.credentials()) }));
  expectError(response, 400, "unauthorized_client");
});
