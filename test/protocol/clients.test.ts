import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerDevice, signInAndConnect } from "../devices/support.ts";
import { systemClock } from "@postern/core/testing";
import type { Browser } from "../support/browser.ts";
import { clientSecret } from "../support/postern.ts";
import {
  sendAuthorization,
  openService,
  readRedirect,
  errorParameters,
  signInAtLoginPage,
  type App,
  type LoginService,
} from "../support/flow.ts";

let service: LoginService;
let close: () => Promise<void>;
let issuer: URL;
beforeAll(async () => {
  let listener: ReturnType<typeof getRequestListener> | undefined;
  const server = createServer((request, response) => void listener?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  issuer = new URL(`http://127.0.0.1:${port}/`);
  // These client libraries read the system clock.
  service = await openService({ issuer: issuer.href, testing: { clock: systemClock } });
  listener = getRequestListener((request) => service.postern.fetch(request, { clientAddress: "127.0.0.1" }));
  close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
});
afterAll(() => close());

/** Signs out with the URL that a client built. Expects to end at `bye`, without a session. */
async function logOut(url: URL, browser: Browser, app: App, state: string): Promise<void> {
  const response = await browser.get(url.href);
  expect(response.headers.get("location")).toBe(`${bye}?state=${state}`);
  expect(errorParameters(await sendAuthorization(browser, app, { prompt: "none" }))["error"]).toBe("login_required");
}

/** Signs in at the URL that a client built. @returns the URL of the redirect back to the client. */
async function signInAt(url: URL, browser = service.browser()): Promise<URL> {
  const response = await browser.get(url.href);
  const result = await signInAtLoginPage(browser, readRedirect(response.headers.get("location") ?? ""), service.ada);
  if (result.kind !== "response") throw new Error("not an authorization response");
  return new URL(`${result.to}?${new URLSearchParams(result.parameters)}`);
}

const scope = "openid profile email offline_access";
const bye = "https://app.example.test/bye";

describe("openid-client", () => {
  const execute = [client.allowInsecureRequests];
  const apps: readonly (readonly [string, () => App, (app: App) => client.ClientAuth])[] = [
    ["a confidential client with its secret in the body", () => service.web, () => client.ClientSecretPost(clientSecret)],
    ["a confidential client with its secret in the header", () => service.web, () => client.ClientSecretBasic(clientSecret)],
    ["a public client", () => service.spa, () => client.None()],
  ];

  test.each(apps)(
    "completes code with PKCE, userinfo, refresh, revocation and logout with openid-client and %s",
    async (_, pick, authentication) => {
      const app = pick();
      const configuration = await client.discovery(issuer, app.clientId, {}, authentication(app), { execute });
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
      const requested = client.buildAuthorizationUrl(configuration, {
        redirect_uri: app.redirectUri,
        scope,
        state: expectedState,
        nonce: expectedNonce,
        max_age: "3600",
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
      });
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 3600, idTokenExpected: true };
      const browser = service.browser();
      const result = await client.authorizationCodeGrant(configuration, await signInAt(requested, browser), checks);
      const sub = result.claims()?.sub ?? "";
      expect(sub).toBe(service.ada.userId);
      expect(await client.fetchUserInfo(configuration, result.access_token, sub)).toMatchObject({ email: service.ada.email });

      const refreshed = await client.refreshTokenGrant(configuration, result.refresh_token ?? "");
      expect(refreshed.claims()?.sub).toBe(sub);
      const live = refreshed.refresh_token ?? result.refresh_token ?? "";
      if (app.secret !== undefined) {
        expect(await client.tokenIntrospection(configuration, live)).toMatchObject({ active: true, sub });
        expect(await client.tokenIntrospection(configuration, refreshed.access_token)).toMatchObject({ active: true, sub });
      }
      await client.tokenRevocation(configuration, live);
      await expect(client.refreshTokenGrant(configuration, live)).rejects.toMatchObject({ error: "invalid_grant", status: 400 });

      const out = client.buildEndSessionUrl(configuration, {
        id_token_hint: result.id_token ?? "",
        post_logout_redirect_uri: bye,
        state: expectedState,
      });
      await logOut(out, browser, app, expectedState);
    },
  );

  test("connects a device with openid-client", async () => {
    const tv = await registerDevice(service);
    const configuration = await client.discovery(issuer, tv.clientId, {}, client.None(), { execute });
    const begun = await client.initiateDeviceAuthorization(configuration, { scope });
    await signInAndConnect(service.browser(), begun.user_code, service.ada);
    // Polls at once, so that the test does not wait.
    const result = await client.pollDeviceAuthorizationGrant(configuration, { ...begun, interval: 0 });
    expect(result.claims()?.sub).toBe(service.ada.userId);
    expect((await client.refreshTokenGrant(configuration, result.refresh_token ?? "")).claims()?.sub).toBe(service.ada.userId);
  });

  test("accepts implicit and hybrid responses with openid-client", async () => {
    const configuration = await client.discovery(issuer, service.web.clientId, {}, client.ClientSecretPost(clientSecret), { execute });
    client.useIdTokenResponseType(configuration);
    const nonce = client.randomNonce();
    const requested = client.buildAuthorizationUrl(configuration, { redirect_uri: service.web.redirectUri, scope: "openid email", nonce });
    const back = await signInAt(requested);
    back.hash = back.search.slice(1);
    back.search = "";
    expect(await client.implicitAuthentication(configuration, back, nonce)).toMatchObject({
      sub: service.ada.userId,
      email: service.ada.email,
    });

    const hybrid = await client.discovery(issuer, service.web.clientId, {}, client.ClientSecretPost(clientSecret), { execute });
    client.useCodeIdTokenResponseType(hybrid);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(hybrid, {
      redirect_uri: service.web.redirectUri,
      scope: "openid",
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const response = await signInAt(url);
    response.hash = response.search.slice(1);
    response.search = "";
    const result = await client.authorizationCodeGrant(hybrid, response, { pkceCodeVerifier, expectedNonce: nonce });
    expect(result.claims()?.sub).toBe(service.ada.userId);
  });

  test("recognizes the error response to a declined login with openid-client", async () => {
    const configuration = await client.discovery(issuer, service.web.clientId, {}, client.ClientSecretPost(clientSecret), { execute });
    const state = client.randomState();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: service.web.redirectUri,
      scope: "openid",
      prompt: "none",
      state,
    });
    const response = await fetch(url, { redirect: "manual" });
    const back = new URL(response.headers.get("location") ?? "");
    await expect(client.authorizationCodeGrant(configuration, back, { expectedState: state })).rejects.toMatchObject({
      error: "login_required",
    });
  });
});

test("connects a device with oauth4webapi", async () => {
  const tv = await registerDevice(service);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  const device: oauth.Client = { client_id: tv.clientId };
  const parameters = new URLSearchParams({ scope });
  const started = await oauth.deviceAuthorizationRequest(server, device, oauth.None(), parameters, insecure);
  const { device_code: code, user_code: userCode } = await oauth.processDeviceAuthorizationResponse(server, device, started);
  const exchange = async () =>
    oauth.processDeviceCodeResponse(server, device, await oauth.deviceCodeGrantRequest(server, device, oauth.None(), code, insecure));
  await expect(exchange()).rejects.toMatchObject({ error: "authorization_pending", status: 400 });
  await signInAndConnect(service.browser(), userCode, service.ada);
  expect(oauth.getValidatedIdTokenClaims(await exchange())?.sub).toBe(service.ada.userId);
  await expect(exchange()).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
});

test("completes code with PKCE, iss, userinfo, refresh, introspection, revocation and logout with oauth4webapi", async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  expect(server).toMatchObject({ issuer: issuer.href, authorization_response_iss_parameter_supported: true });
  const app: oauth.Client = { client_id: service.web.clientId };
  const authentication = oauth.ClientSecretPost(clientSecret);
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];

  const url = new URL(server.authorization_endpoint ?? "");
  const requested = {
    client_id: app.client_id,
    redirect_uri: service.web.redirectUri,
    response_type: "code",
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(requested)) url.searchParams.set(name, value);
  const browser = service.browser();
  const parameters = oauth.validateAuthResponse(server, app, await signInAt(url, browser), state);
  const exchanged = await oauth.authorizationCodeGrantRequest(
    server,
    app,
    authentication,
    parameters,
    service.web.redirectUri,
    verifier,
    insecure,
  );
  const result = await oauth.processAuthorizationCodeResponse(server, app, exchanged, { expectedNonce: nonce, requireIdToken: true });
  await oauth.validateApplicationLevelSignature(server, exchanged, insecure);
  const sub = oauth.getValidatedIdTokenClaims(result)?.sub ?? "";

  const userinfo = await oauth.userInfoRequest(server, app, result.access_token, insecure);
  expect(await oauth.processUserInfoResponse(server, app, sub, userinfo)).toMatchObject({ sub, email: service.ada.email });
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    app,
    await oauth.refreshTokenGrantRequest(server, app, authentication, result.refresh_token ?? "", insecure),
  );
  expect(refreshed.token_type).toBe("bearer");
  const introspected = await oauth.introspectionRequest(server, app, authentication, refreshed.access_token, insecure);
  expect(await oauth.processIntrospectionResponse(server, app, introspected)).toMatchObject({ active: true, sub });
  const revoked = await oauth.revocationRequest(server, app, authentication, result.refresh_token ?? "", insecure);
  await oauth.processRevocationResponse(revoked);
  const after = await oauth.introspectionRequest(server, app, authentication, result.refresh_token ?? "", insecure);
  expect(await oauth.processIntrospectionResponse(server, app, after)).toEqual({ active: false });

  const refreshing = oauth.refreshTokenGrantRequest(server, app, authentication, result.refresh_token ?? "", insecure);
  await expect(oauth.processRefreshTokenResponse(server, app, await refreshing)).rejects.toMatchObject({
    error: "invalid_grant",
    status: 400,
  });
  const revokedAccess = await oauth.userInfoRequest(server, app, result.access_token, insecure);
  await expect(oauth.processUserInfoResponse(server, app, sub, revokedAccess)).rejects.toMatchObject({
    cause: [{ scheme: "bearer", parameters: { error: "invalid_token" } }],
  });

  const out = new URL(server.end_session_endpoint ?? "");
  const leaving = { id_token_hint: result.id_token ?? "", post_logout_redirect_uri: bye, client_id: app.client_id, state };
  for (const [name, value] of Object.entries(leaving)) out.searchParams.set(name, value);
  await logOut(out, browser, service.web, state);
});
