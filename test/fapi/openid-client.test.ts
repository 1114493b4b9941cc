import { createManualClock } from "@postern/core/testing";
import * as client from "openid-client";
import { beforeAll, expect, test } from "vitest";
import { openDocumentService, type DocumentService } from "../client-documents/documents.ts";
import { jsonBody } from "../support/api.ts";
import { readResult, signInAtLoginPage, successParameters } from "../support/flow.ts";
import { createKeyClient } from "./key-client.ts";

/** `openid-client`, which uses `oauth4webapi`, signs in unmodified. */

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

/** Signs a user in with PAR, PKCE and DPoP, and refreshes. */
async function signIn(clientId: string, metadata: Partial<client.ClientMetadata>, auth: client.ClientAuth): Promise<void> {
  const issuer = new URL(service.postern.issuer);
  const configuration = await client.discovery(issuer, clientId, metadata, auth, { [client.customFetch]: send });
  const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair("ES256"));
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const redirectUri = "https://app.example.test/callback";
  const parameters = {
    redirect_uri: redirectUri,
    scope: "openid email offline_access",
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  const url = await client.buildAuthorizationUrlWithPAR(configuration, parameters, { DPoP });
  expect([...url.searchParams.keys()].toSorted()).toEqual(["client_id", "request_uri"]);
  const browser = service.browser();
  const page = await readResult(await browser.get(url.pathname + url.search));
  const result = successParameters(await signInAtLoginPage(browser, page, service.ada));
  const callback = new URL(`${redirectUri}?${new URLSearchParams(result)}`);
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  const tokens = await client.authorizationCodeGrant(configuration, callback, checks, undefined, { DPoP });
  expect(tokens.token_type).toBe("dpop");
  const user = await client.fetchUserInfo(configuration, tokens.access_token, service.ada.userId, { DPoP });
  expect(user.email).toBe(service.ada.email);
  const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? "", undefined, { DPoP });
  expect(renewed.token_type).toBe("dpop");
  const again = await client.fetchUserInfo(configuration, renewed.access_token, service.ada.userId, { DPoP });
  expect(again.sub).toBe(service.ada.userId);
}

test("a public client signs in with a pushed request, DPoP and nonces", () =>
  signIn(service.spa.clientId, { id_token_signed_response_alg: "ES256" }, client.None()));

test("a client of the FAPI 2.0 profile signs in with private_key_jwt, a pushed request and DPoP", async () => {
  const settings = { compliance_level: "fapi2_sp_pkj_mtls", jwt_configuration: { alg: "PS256" } };
  const app = await createKeyClient(service, "ES256", settings);
  const auth = client.PrivateKeyJwt({ key: app.key, kid: app.kid });
  await signIn(app.clientId, { id_token_signed_response_alg: "PS256" }, auth);
});
