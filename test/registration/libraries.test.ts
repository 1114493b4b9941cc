import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { systemClock } from "@postern/core/testing";
import { readRedirect, signInAtLoginPage, type LoginService } from "../support/flow.ts";
import { initialAccessToken, openServiceForStrangers, setOpenRegistration, tools } from "../support/registration.ts";

let service: LoginService;
let issuer: URL;
let close: () => Promise<void>;
beforeAll(async () => {
  let listener: ReturnType<typeof getRequestListener> | undefined;
  const server = createServer((request, response) => void listener?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  issuer = new URL(`http://127.0.0.1:${port}/`);
  // These libraries read the system clock.
  service = await openServiceForStrangers({ issuer: issuer.href, testing: { clock: systemClock } });
  await setOpenRegistration(service, true);
  listener = getRequestListener((request) => service.postern.fetch(request, { clientAddress: "127.0.0.1" }));
  close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
});
afterAll(() => close());

const metadata = { client_name: "Library", redirect_uris: ["http://localhost:4711/callback"] };

/** Signs in at the URL that a library built. @returns the URL of the redirect back to the client. */
async function signInAt(url: URL): Promise<URL> {
  const browser = service.browser();
  const response = await browser.get(url.href);
  const result = await signInAtLoginPage(browser, readRedirect(response.headers.get("location") ?? ""), service.ada);
  if (result.kind !== "response") throw new Error("not an authorization response");
  return new URL(`${result.to}?${new URLSearchParams(result.parameters)}`);
}

/** Reads, replaces and deletes a registration over HTTP, as RFC 7592 describes. */
async function manageRegistration(registration: { readonly [name: string]: unknown }): Promise<void> {
  const uri = String(registration["registration_client_uri"]);
  const headers = { authorization: `Bearer ${String(registration["registration_access_token"])}`, "content-type": "application/json" };
  const read: unknown = await (await fetch(uri, { headers })).json();
  expect(read).toMatchObject({ client_id: registration["client_id"], ...metadata });
  const body = JSON.stringify({ ...metadata, client_id: registration["client_id"], client_name: "Renamed" });
  const replaced: unknown = await (await fetch(uri, { method: "PUT", headers, body })).json();
  expect(replaced).toMatchObject({ client_name: "Renamed", registration_client_uri: uri });
  expect((await fetch(uri, { method: "DELETE", headers })).status).toBe(204);
  expect((await fetch(uri, { headers })).status).toBe(401);
}

test.each([
  ["a public client", { token_endpoint_auth_method: "none" }, client.None()],
  ["a client with a secret in the header", {}, undefined],
  ["a client with a secret in the body", { token_endpoint_auth_method: "client_secret_post" }, undefined],
])("registers %s with openid-client, signs a user in and manages the registration", async (_, more, authentication) => {
  const options = { execute: [client.allowInsecureRequests] };
  const configuration = await client.dynamicClientRegistration(issuer, { ...metadata, ...more }, authentication, options);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const requested = client.buildAuthorizationUrl(configuration, {
    redirect_uri: "http://localhost:4711/callback",
    scope: "openid email offline_access read:tools",
    resource: tools,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  const result = await client.authorizationCodeGrant(configuration, await signInAt(requested), checks);
  expect(result.claims()?.sub).toBe(service.ada.userId);
  const refreshed = await client.refreshTokenGrant(configuration, result.refresh_token ?? "", { resource: tools });
  expect(refreshed.refresh_token).not.toBe(result.refresh_token);
  await manageRegistration(configuration.clientMetadata());
});

test("registers a client with oauth4webapi and an initial access token, and reports the errors of the endpoint", async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  const options = { ...insecure, initialAccessToken: await initialAccessToken(service) };
  const send = (sent: Partial<oauth.Client>) => oauth.dynamicClientRegistrationRequest(server, sent, options);
  await expect(oauth.processDynamicClientRegistrationResponse(await send({ redirect_uris: ["http://a.example/"] }))).rejects.toMatchObject({
    error: "invalid_redirect_uri",
    status: 400,
  });
  const registration = await oauth.processDynamicClientRegistrationResponse(await send(metadata));
  expect(registration).toMatchObject({ ...metadata, client_secret_expires_at: 0 });
  await manageRegistration(registration);
  await expect(oauth.processDynamicClientRegistrationResponse(await send(metadata))).rejects.toMatchObject({ status: 401 });
});
