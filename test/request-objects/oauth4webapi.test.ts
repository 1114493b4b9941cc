import { createManualClock } from "@postern/core/testing";
import * as oauth from "oauth4webapi";
import { expect, test } from "vitest";
import { openDocumentService } from "../client-documents/documents.ts";
import { createKeyClient } from "../fapi/key-client.ts";
import { readResult, signInAtLoginPage, successParameters } from "../support/flow.ts";

test("a client signs in with a request object and private_key_jwt of oauth4webapi, unmodified", async () => {
  const service = await openDocumentService({ testing: { clock: createManualClock(Date.now()) } });
  const app = await createKeyClient(service, "ES256", { signed_request_object: { required: true } });
  const options = {
    [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>): Promise<Response> => {
      // The library reads the system's clock.
      service.clock.advance(Math.max(0, Date.now() - service.clock.now()));
      const body = init.body instanceof URLSearchParams ? init.body : null;
      return service.postern.fetch(new Request(url, { method: init.method, headers: init.headers, body }));
    },
  };
  const issuer = new URL(service.postern.issuer);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
  const client: oauth.Client = { client_id: app.clientId, id_token_signed_response_alg: "ES256" };
  const key = { key: app.key, kid: app.kid };
  const verifier = oauth.generateRandomCodeVerifier();
  const nonce = oauth.generateRandomNonce();
  const parameters = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: app.redirectUri,
    response_type: "code",
    scope: "openid email",
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const request = await oauth.issueRequestObject(server, client, parameters, key);
  const browser = service.browser();
  const target = `/authorize?${new URLSearchParams({ client_id: client.client_id, request })}`;
  const result = successParameters(await signInAtLoginPage(browser, await readResult(await browser.get(target)), service.ada));
  const callback = oauth.validateAuthResponse(server, client, new URLSearchParams(result), oauth.expectNoState);
  const authentication = oauth.PrivateKeyJwt(key);
  const response = await oauth.authorizationCodeGrantRequest(server, client, authentication, callback, app.redirectUri, verifier, options);
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true });
  expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(service.ada.userId);
});
