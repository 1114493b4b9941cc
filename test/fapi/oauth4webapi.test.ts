import { createManualClock } from "@postern/core/testing";
import * as oauth from "oauth4webapi";
import { beforeAll, expect, test } from "vitest";
import { openPushingService } from "../par/pushing.ts";
import { readResult, signInAtLoginPage, successParameters, type LoginService } from "../support/flow.ts";

/** `oauth4webapi` signs in unmodified. It leaves the repetition of a request with a nonce to the application. */

let service: LoginService;
beforeAll(async () => {
  service = await openPushingService({ testing: { clock: createManualClock(Date.now()) } });
});

const options = {
  [oauth.customFetch]: (url: string, init: oauth.CustomFetchOptions<string, unknown>): Promise<Response> => {
    // The library reads the system's clock.
    service.clock.advance(Math.max(0, Date.now() - service.clock.now()));
    return service.postern.fetch(new Request(url, { method: init.method, headers: init.headers, body: bodyOf(init.body) }));
  },
};

const bodyOf = (body: unknown): URLSearchParams | null => (body instanceof URLSearchParams ? body : null);

test("a public client signs in with a pushed request, a bound code, DPoP and nonces", async () => {
  const issuer = new URL(service.postern.issuer);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
  const client: oauth.Client = { client_id: service.spa.clientId, id_token_signed_response_alg: "ES256" };
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair("ES256"));
  let repetitions = 0;
  /** Sends a request, and repeats it with the nonce that the response requires. */
  const withNonce = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw error;
      repetitions++;
      return request();
    }
  };

  const verifier = oauth.generateRandomCodeVerifier();
  const redirectUri = service.spa.redirectUri;
  const parameters = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid email offline_access",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const { request_uri: requestUri } = await withNonce(async () =>
    oauth.processPushedAuthorizationResponse(
      server,
      client,
      await oauth.pushedAuthorizationRequest(server, client, oauth.None(), parameters, { ...options, DPoP }),
    ),
  );
  const browser = service.browser();
  const target = `/authorize?${new URLSearchParams({ client_id: client.client_id, request_uri: requestUri })}`;
  const result = successParameters(await signInAtLoginPage(browser, await readResult(await browser.get(target)), service.ada));
  const callback = oauth.validateAuthResponse(server, client, new URLSearchParams(result), oauth.expectNoState);
  const tokens = await withNonce(async () =>
    oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), callback, redirectUri, verifier, { ...options, DPoP }),
    ),
  );
  expect(tokens.token_type).toBe("dpop");
  const user = await withNonce(async () =>
    oauth.processUserInfoResponse(
      server,
      client,
      service.ada.userId,
      await oauth.userInfoRequest(server, client, tokens.access_token, { ...options, DPoP }),
    ),
  );
  expect(user.email).toBe(service.ada.email);
  const renewed = await withNonce(async () =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? "", { ...options, DPoP }),
    ),
  );
  expect(renewed.token_type).toBe("dpop");
  expect(repetitions).toBeGreaterThan(0);
});
