import * as client from "openid-client";
import { expect } from "vitest";
import { formAction, formFields } from "./browser.ts";
import { webClient, mainManager, testUser, type ConfidentialClient } from "./code-flow-fixtures.ts";

/** The clients of a {@link codeFlow}. Default: {@link webClient} and {@link mainManager}. */
interface Clients {
  readonly web?: ConfidentialClient;
  /** A client that manages the tenant. */
  readonly machine?: ConfidentialClient;
}

const [callback = ""] = webClient.settings.callbacks;
const [bye = ""] = webClient.settings.allowed_logout_urls;

/**
 * Signs a user in over HTTP, as `openid-client` and a browser without scripts do: discovery, hosted pages with their
 * forms and cookies, tokens, userinfo, a refresh, the Management API with JSON, and logout. It fails if a proxy or
 * framework shortens the path of a request, reads its body or changes its headers.
 */
export async function codeFlow(issuer: string, { web = webClient, machine = mainManager }: Clients = {}): Promise<void> {
  const options = { execute: [client.allowInsecureRequests] };
  const configuration = await client.discovery(new URL(issuer), web.clientId, web.secret, undefined, options);
  expect(configuration.serverMetadata().issuer).toBe(issuer);

  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const browser = openHttpBrowser(issuer);
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: "openid email offline_access",
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const requested = await browser.go(address.href);
  const password = await browser.submit(requested, { identifier: testUser.email, action: "continue" });
  const responded = await browser.submit(password, { password: testUser.password, action: "sign-in" });
  expect(responded.url).toMatch(/^https:\/\/app\.example\.test\/callback\?/);

  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(configuration, new URL(responded.url), checks);
  const subject = tokens.claims()?.sub ?? "";
  expect(await client.fetchUserInfo(configuration, tokens.access_token, subject)).toMatchObject({ email: testUser.email });
  const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? "");
  expect(renewed.claims()?.sub).toBe(subject);

  const backend = await client.discovery(new URL(issuer), machine.clientId, machine.secret, undefined, options);
  const { access_token: token } = await client.clientCredentialsGrant(backend, { audience: `${issuer}api/v2/` });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ name: `Role ${state} ü🦊`, description: "Made on the way" });
  const made = await fetch(`${issuer}api/v2/roles`, { method: "POST", headers, body });
  expect({ status: made.status, ...((await made.json()) as object) }).toMatchObject({ status: 201, name: `Role ${state} ü🦊` });

  const left = await browser.go(
    client.buildEndSessionUrl(configuration, { id_token_hint: renewed.id_token ?? tokens.id_token ?? "", post_logout_redirect_uri: bye })
      .href,
  );
  expect(left.url).toBe(bye);
}

/** A page that the browser has loaded, or the app's URL to which the browser was redirected. */
interface HttpResult {
  readonly url: string;
  readonly html: string;
}

/** The maximum that browsers follow is about the same. A redirect loop fails the test here. */
const maximumRedirects = 20;

/**
 * A browser without scripts over HTTP: it stores cookies by path, follows redirects within the issuer's host, and sends
 * forms.
 */
export function openHttpBrowser(issuer: string) {
  const { host, origin } = new URL(issuer);
  const cookies = new Map<string, { readonly value: string; readonly path: string }>();

  const go = async (url: string, init: RequestInit = {}, redirects = 0): Promise<HttpResult> => {
    expect(redirects, `redirects before ${url}`).toBeLessThan(maximumRedirects);
    const { pathname } = new URL(url);
    const sent = [...cookies].filter(([, { path }]) => pathname.startsWith(path)).map(([name, { value }]) => `${name}=${value}`);
    const headers = { ...(sent.length > 0 && { cookie: sent.join("; ") }), ...(init.body !== undefined && { origin }) };
    const response = await fetch(url, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split("=", 2);
      const path = attributes.find((each) => each.startsWith("Path="))?.slice("Path=".length) ?? "/";
      if (attributes.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, { value, path });
    }
    const html = await response.text();
    const location = response.headers.get("location");
    if (location === null) {
      expect({ url, status: response.status, html: response.status === 200 ? "" : html }).toEqual({ url, status: 200, html: "" });
      // Requires that the page's own policy is the only one: a second policy, from the host application, would block
      // its styles.
      expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'[^,]*$/);
      return { url, html };
    }
    const next = new URL(location, url);
    return next.host === host ? go(next.href, {}, redirects + 1) : { url: next.href, html: "" };
  };

  return {
    go,
    submit: ({ url, html }: HttpResult, fields: { readonly [name: string]: string }): Promise<HttpResult> =>
      go(new URL(formAction(html) ?? "", url).href, { method: "POST", body: new URLSearchParams({ ...formFields(html), ...fields }) }),
  };
}
