import { exportJWK, generateKeyPair } from "jose";
import { beforeAll, expect, test } from "vitest";
import { openDocumentService, type DocumentService } from "../client-documents/documents.ts";
import { expectError, jsonBody } from "../support/api.ts";
import { codeGrant, login, tokens } from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";
import { createKeyClient, type KeyClient } from "./key-client.ts";

let service: DocumentService;
beforeAll(async () => {
  service = await openDocumentService();
});

const exchange = async (app: KeyClient, credentials: object): Promise<ApiResponse> => {
  const { code = "" } = await login(service.browser(), app, service.ada);
  return service.exchange({ ...codeGrant(app, code), ...credentials });
};

test.each(["RS256", "PS256", "ES256", "EdDSA", "Ed25519"])("a client authenticates with the %s key at its jwks_uri", async (alg) => {
  const app = await createKeyClient(service, alg);
  expect(tokens(await exchange(app, await app.credentials())).access).not.toBe("");
  expectError(await exchange(app, {}), 401, "invalid_client");
  const stranger = await createKeyClient(service, alg);
  expectError(await exchange(app, await stranger.credentials({ iss: app.clientId, sub: app.clientId })), 401, "invalid_client");
});

test("a client that is created with private_key_jwt has no secret, and responses show its method and URL", async () => {
  const app = await createKeyClient(service, "ES256");
  const shown = jsonBody(await service.manage("GET", `/api/v2/clients/${app.clientId}`));
  expect(shown).toMatchObject({ token_endpoint_auth_method: "private_key_jwt", jwks_uri: app.jwksUri });
  expect(shown).not.toHaveProperty("client_secret");
  const path = `/api/v2/clients/${app.clientId}`;
  expectError(await service.manage("PATCH", path, { jwks_uri: null }), 400, "invalid_request", "requires 'jwks_uri'");
  // A tool that writes back what it read changes nothing.
  const { token_endpoint_auth_method, jwks_uri } = shown;
  expect((await service.manage("PATCH", path, { token_endpoint_auth_method, jwks_uri })).status).toBe(200);
});

test.each([["http://app.example.test/jwks.json"], ["file:///etc/passwd"], ["not a URL"], [7]])(
  "rejects the jwks_uri %j",
  async (jwks_uri) => {
    const body = { name: "App", token_endpoint_auth_method: "private_key_jwt", jwks_uri };
    expectError(await service.manage("POST", "/api/v2/clients", body), 400, "invalid_request");
  },
);

test("private_key_jwt requires keys, at creation and at a change", async () => {
  const body = { token_endpoint_auth_method: "private_key_jwt" };
  expectError(await service.manage("POST", "/api/v2/clients", { name: "App", ...body }), 400, "invalid_request", "jwks_uri");
  expectError(await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}`, body), 400, "invalid_request", "jwks_uri");
});

test("a changed key is found after a minute, and other requests fetch nothing", async () => {
  const app = await createKeyClient(service, "ES256");
  expect((await exchange(app, await app.credentials())).status).toBe(200);
  expect((await exchange(app, await app.credentials())).status).toBe(200);
  expect(service.requests.filter((url) => url === app.jwksUri)).toHaveLength(1);
  const { publicKey } = await generateKeyPair("ES256", { extractable: true });
  service.publish(app.jwksUri, { keys: [{ ...(await exportJWK(publicKey)), kid: "new", alg: "ES256" }] });
  service.clock.advance("61s");
  expectError(await exchange(app, await app.credentials()), 401, "invalid_client");
});

test("an assertion that cannot be valid causes no request, and a server that fails gets the next request after ten seconds", async () => {
  const app = await createKeyClient(service, "ES256");
  const sent = (): number => service.requests.filter((url) => url === app.jwksUri).length;
  const anHourAgo = Math.floor(service.clock.now() / 1000) - 3600;
  for (const credentials of [await app.credentials({ iss: "another" }), await app.credentials({ exp: anHourAgo })]) {
    expectError(await exchange(app, credentials), 401, "invalid_client");
  }
  const { client_assertion: assertion, ...type } = await app.credentials();
  const noneHeader = Buffer.from('{"alg":"none"}').toString("base64url");
  expectError(await exchange(app, { ...type, client_assertion: assertion.replace(/^[^.]+/, noneHeader) }), 401, "invalid_client");
  expect(sent()).toBe(0);

  service.publish(app.jwksUri, Response.error());
  expectError(await exchange(app, await app.credentials()), 401, "invalid_client");
  expectError(await exchange(app, await app.credentials()), 401, "invalid_client");
  expect(sent()).toBe(1);
  service.publish(app.jwksUri, app.keySet);
  service.clock.advance("11s");
  expect((await exchange(app, await app.credentials())).status).toBe(200);
});
