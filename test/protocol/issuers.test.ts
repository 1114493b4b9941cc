import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { jsonBody, type JsonBody } from "../support/api.ts";
import { openBrowser, type Browser } from "../support/browser.ts";
import { insertHost } from "../support/rows.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  offline,
  openService,
  refreshGrant,
  errorParameters,
  tokens,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";
const own = "https://login.main.example/";

/**
 * A tenant with a custom domain has two issuers with the same keys. An app that knows one of them keeps working after
 * the other is added.
 */
describe.each(stores)("a tenant with two issuers on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;
  let app: App;
  let defaults: string;

  beforeAll(async () => {
    data = await open();
    service = await openService({ data });
    defaults = service.postern.issuer;
    await insertHost(service, "main", "login.main.example");
    service.clock.advance("6s");
    app = await service.register({
      secret: true,
      grant_types: ["authorization_code", "refresh_token", "implicit", exchangeGrant],
      allowed_logout_urls: ["https://app.example.test/bye"],
    });
  });
  afterAll(() => data.close?.());

  const browserAt = (issuer: string): Browser => openBrowser({ ...service.postern, issuer });
  const post = async (issuer: string, path: string, body: { readonly [name: string]: string }): Promise<ApiResponse> => {
    const request = new Request(issuer + path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(body).toString(),
    });
    const response = await service.postern.fetch(request, { clientAddress: "192.0.2.1" });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const userinfoAt = async (issuer: string, token: string): Promise<JsonBody> => {
    const response = await service.postern.fetch(new Request(`${issuer}userinfo`, { headers: { authorization: `Bearer ${token}` } }));
    return jsonBody({ status: response.status, headers: response.headers, body: await response.json() });
  };
  const begin = async (issuer: string) => {
    const browser = browserAt(issuer);
    const response = await login(browser, app, service.ada, offline);
    expect(response["iss"]).toBe(issuer);
    return { browser, ...tokens(await post(issuer, "oauth/token", codeGrant(app, response["code"] ?? ""))) };
  };

  test("uses the same issuer in discovery, in responses and in tokens, byte for byte", async () => {
    for (const issuer of [defaults, own]) {
      const { id, access } = await begin(issuer);
      expect([claimsOf(id).iss, claimsOf(access).iss, claimsOf(access).aud]).toEqual([issuer, issuer, `${issuer}userinfo`]);
      const discovery = await service.postern.fetch(new Request(`${issuer}.well-known/openid-configuration`));
      expect(await discovery.json()).toMatchObject({
        issuer,
        userinfo_endpoint: `${issuer}userinfo`,
        end_session_endpoint: `${issuer}oidc/logout`,
      });
    }
  });

  test("accepts access tokens, refresh tokens, codes and hints of one issuer at the other", async () => {
    for (const [from, at] of [
      [defaults, own],
      [own, defaults],
    ] as const) {
      const { access, refresh, id, browser } = await begin(from);
      expect(await userinfoAt(at, access)).toMatchObject({ sub: service.ada.userId, email: service.ada.email });
      const client = { client_id: app.clientId, client_secret: clientSecret };
      expect((await post(at, "oauth/introspect", { ...client, token: access })).body).toMatchObject({ active: true, iss: from });
      const refreshed = tokens(await post(at, "oauth/token", refreshGrant(app, refresh)));
      expect(claimsOf(refreshed.id)).toMatchObject({ iss: at, sub: service.ada.userId });
      expect(await userinfoAt(from, refreshed.access)).toMatchObject({ sub: service.ada.userId });

      const subject = { ...client, grant_type: exchangeGrant, subject_token: access, subject_token_type: accessTokenType };
      expect(claimsOf(tokens(await post(at, "oauth/token", subject)).access)).toMatchObject({ iss: at, aud: `${at}userinfo` });

      // Userinfo and the Management API are one API each, whichever issuer their URL has.
      for (const name of ["userinfo", "api/v2/"]) {
        const named = successParameters(
          await sendAuthorization(browser, app, { prompt: "none", audience: at + name, scope: "openid offline_access" }),
        );
        const result = tokens(await post(from, "oauth/token", codeGrant(app, named["code"] ?? "")));
        const repeated = refreshGrant(app, result.refresh, { audience: from + name });
        if (result.refresh !== "")
          expect([claimsOf(tokens(await post(at, "oauth/token", repeated)).access).aud].flat()).toContain(at + name);
        expect([claimsOf(result.access).aud].flat()).toContain(from + name);
      }

      const { code = "" } = successParameters(await sendAuthorization(browser, app, { prompt: "none" }));
      expect(claimsOf(tokens(await post(at, "oauth/token", codeGrant(app, code))).id).iss).toBe(at);

      const bye = { id_token_hint: id, post_logout_redirect_uri: "https://app.example.test/bye" };
      const there = openBrowser({ ...service.postern, issuer: at }, browser.cookies);
      const response = await there.get(`/oidc/logout?${new URLSearchParams(bye)}`);
      expect(response.headers.get("location")).toBe(bye.post_logout_redirect_uri);
      expect(errorParameters(await sendAuthorization(browser, app, { prompt: "none" }))["error"]).toBe("login_required");
    }
  });

  test("posts the forms of its pages to the host that returned the page, and rejects forms from other hosts", async () => {
    const browser = browserAt(own);
    const response = await browser.get(`/authorize?${new URLSearchParams({ client_id: app.clientId, response_type: "code" })}`);
    const location = response.headers.get("location") ?? "";
    expect(location.startsWith(`${own}u/login?`)).toBe(true);
    const html = await (await browser.get(location)).text();
    expect(html).toContain(`action="${own}u/login"`);
    expect(html).not.toContain(defaults);
  });
});
