import { createManualClock } from "@postern/core/testing";
import * as client from "openid-client";
import { beforeAll, expect, test } from "vitest";
import { openDocumentService, type DocumentService } from "../client-documents/documents.ts";
import { createKeyClient, type KeyClient } from "../fapi/key-client.ts";
import { jsonBody } from "../support/api.ts";
import { readResult, signInAtLoginPage, successParameters } from "../support/flow.ts";

/** `openid-client`, which uses `oauth4webapi`, signs its requests unmodified. */

let service: DocumentService;
beforeAll(async () => {
  service = await openDocumentService({ testing: { clock: createManualClock(Date.now()) } });
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { pushed_authorization_requests_supported: true }));
  service.clock.advance("6s");
});

const send: client.CustomFetch = (url, init) => {
  // The library reads the system's clock.
  service.clock.advance(Math.max(0, Date.now() - service.clock.now()));
  return service.postern.fetch(new Request(url, init as RequestInit));
};

const keyOf = ({ key, kid }: KeyClient) => ({ key, kid });

/** Discovers the service for a client. */
const configure = (app: KeyClient, metadata: Partial<client.ClientMetadata>) =>
  client.discovery(new URL(service.postern.issuer), app.clientId, metadata, client.PrivateKeyJwt(keyOf(app)), {
    [client.customFetch]: send,
  });

/** Opens the URL of a signed request, signs in and exchanges the code. @returns the user. */
async function finish(
  configuration: client.Configuration,
  url: URL,
  checks: client.AuthorizationCodeGrantChecks,
  DPoP?: client.DPoPHandle,
) {
  const browser = service.browser();
  const page = await readResult(await browser.get(url.pathname + url.search));
  const result = successParameters(await signInAtLoginPage(browser, page, service.ada));
  const callback = new URL(`https://app.example.test/callback?${new URLSearchParams(result)}`);
  const options = DPoP && { DPoP };
  const tokens = await client.authorizationCodeGrant(configuration, callback, checks, undefined, options);
  return client.fetchUserInfo(configuration, tokens.access_token, service.ada.userId, options);
}

const redirect_uri = "https://app.example.test/callback";

test("a client that must sign its requests signs in with a request object, and reads a signed userinfo", async () => {
  const signed = { signed_request_object: { required: true }, userinfo_signed_response_alg: "RS256" };
  const app = await createKeyClient(service, "ES256", signed);
  const configuration = await configure(app, { id_token_signed_response_alg: "ES256", userinfo_signed_response_alg: "RS256" });
  const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
  const challenge = { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" };
  const parameters = { redirect_uri, scope: "openid email", state, nonce, ...challenge };
  const url = await client.buildAuthorizationUrlWithJAR(configuration, parameters, keyOf(app));
  expect([...url.searchParams.keys()].toSorted()).toEqual(["client_id", "request"]);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
  expect((await finish(configuration, url, checks)).email).toBe(service.ada.email);
});

test("a client of the FAPI 2.0 profile pushes a request object and signs in with DPoP", async () => {
  const level = { compliance_level: "fapi2_sp_pkj_mtls", jwt_configuration: { alg: "PS256" } };
  const app = await createKeyClient(service, "PS256", { ...level, signed_request_object: { required: true } });
  const configuration = await configure(app, { id_token_signed_response_alg: "PS256" });
  const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair("ES256"));
  const verifier = client.randomPKCECodeVerifier();
  const challenge = { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" };
  const object = await client.buildAuthorizationUrlWithJAR(
    configuration,
    { redirect_uri, scope: "openid email", ...challenge },
    keyOf(app),
  );
  const url = await client.buildAuthorizationUrlWithPAR(configuration, object.searchParams, { DPoP });
  expect([...url.searchParams.keys()].toSorted()).toEqual(["client_id", "request_uri"]);
  expect((await finish(configuration, url, { pkceCodeVerifier: verifier }, DPoP)).email).toBe(service.ada.email);
});
