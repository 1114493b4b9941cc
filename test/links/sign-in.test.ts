import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { auditEvents, expectError, jsonBody } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  authorizeParameters,
  claimsOf,
  codeGrant,
  successParameters,
  openService,
  errorParameters,
  readResult,
  tokens,
  randomString,
  type App,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";
import { openLink, type LinkPage } from "../support/links.ts";
import { codeOf, createOutbox, differentCode, type Outbox } from "../support/outbox.ts";
import type { ApiResponse } from "../support/postern.ts";
import { stores } from "../protocol/stores.ts";

const grantType = "http://auth0.com/oauth/grant-type/passwordless/otp";

describe.each(stores)("sign-in links on $name", ({ open: openStore }) => {
  let data: DataAdapter;
  let outbox: Outbox;
  let service: LoginService;
  let app: App;
  let email: string;

  beforeAll(async () => {
    data = await openStore();
    outbox = createOutbox();
    service = await openService({ data, messages: { mail: outbox.mail } });
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    app = await service.register({ name: "Fieldnotes", grant_types: [grantType, "authorization_code", "refresh_token", "implicit"] });
  });
  afterAll(() => data.close?.());
  beforeEach(() => {
    email = `${randomString().toLowerCase()}@example.test`;
  });

  const parametersOf = (of: App, more = {}): object => {
    const { client_id: _, ...authParams } = authorizeParameters(of, more);
    return authParams;
  };
  const start = (body: object): Promise<ApiResponse> =>
    service.call("POST", "/passwordless/start", { body: { client_id: app.clientId, connection: "email", email, ...body } });
  const linkFor = async (body: object = {}): Promise<string> => {
    jsonBody(await start({ send: "link", authParams: parametersOf(app), ...body }));
    const { link, code } = outbox.take(email);
    expect(code).toBeUndefined();
    if (link === undefined) throw new Error("the mail has no link");
    return link;
  };
  /** Submits the form of a link's page. @returns the redirect URL. */
  const submitForm = async (browser: Browser, { html }: LinkPage, more = {}): Promise<string> => {
    const response = await browser.post(formAction(html) ?? "", { form: { ...formFields(html), ...more } });
    expect(response.status).toBe(303);
    return response.headers.get("location") ?? "";
  };
  /** Opens a link and follows the redirect to `/authorize`. */
  const follow = async (browser: Browser, link: string): Promise<FlowResult> => {
    const to = await submitForm(browser, await openLink(browser, link));
    expect(to).toMatch(/^https:\/\/id\.example\.test\/authorize\?/);
    return readResult(await browser.get(to));
  };

  test("a scanner opens the link first, and the user signs in with the button in any browser, with the client's parameters", async () => {
    const link = await linkFor({ authParams: parametersOf(app, { scope: "openid email offline_access", state: "mine", nonce: "n-7" }) });
    expect(link).not.toMatch(/state|nonce|scope/);
    for (const method of ["GET", "HEAD", "GET", "GET", "GET", "GET", "GET"])
      expect((await service.call(method, link.slice("https://id.example.test".length))).status).toBe(200);
    const browser = service.browser();
    const page = await openLink(browser, link);
    expect(page).toMatchObject({ status: 200, title: "Sign in to Fieldnotes?", actions: ["sign-in"] });
    expect(page.html).toContain(email);
    expect(browser.cookies.size).toBe(0);

    const response = successParameters(await follow(browser, link));
    expect(response["state"]).toBe("mine");
    const result = tokens(await service.exchange(codeGrant(app, response["code"] ?? "")));
    expect(claimsOf(result.id)).toMatchObject({ email, email_verified: true, nonce: "n-7", amr: ["otp"] });
    expect(result.refresh).not.toBe("");
    successParameters(await sendAuthorization(browser, app, { prompt: "none" }));
    service.clock.advance("5s");
    expect((await auditEvents(service.manage, "s"))[0]).toMatchObject({ client_id: app.clientId, connection: "email" });
  });

  test("a link is valid once; then its page shows that it was used, with a link to the app", async () => {
    const link = await linkFor();
    const browser = service.browser();
    const page = await openLink(browser, link);
    successParameters(await follow(browser, link));
    const stranger = service.browser();
    const to = await submitForm(stranger, page);
    expect(to).not.toContain("verification_code");
    const expired = await openLink(stranger, to);
    expect(expired).toMatchObject({ status: 400, actions: [] });
    expect(expired.html).toContain('href="https://app.example.test/"');
    expect(stranger.cookies.size).toBe(0);
  });

  test("one of 32 visitors who submit the form in parallel is signed in", async () => {
    const page = await openLink(service.browser(), await linkFor());
    const browsers = Array.from({ length: 32 }, () => service.browser());
    const redirected = await Promise.all(browsers.map((browser) => submitForm(browser, page)));
    expect(redirected.filter((to) => to.includes("/authorize?"))).toHaveLength(1);
    expect(browsers.filter(({ cookies }) => cookies.size > 0)).toHaveLength(1);
  });

  test("sends a link and a code in one mail if the client selects neither, and using either invalidates both", async () => {
    jsonBody(await start({ authParams: parametersOf(app) }));
    const mail = outbox.take(email);
    const redeem = { grant_type: grantType, client_id: app.clientId, username: email, realm: "email", otp: codeOf(mail) };
    successParameters(await follow(service.browser(), mail.link ?? ""));
    expectError(await service.exchange(redeem), 400, "invalid_grant");
  });

  test("parameters that /authorize rejects cause an error if the client requests a link, and a mail without a link if not", async () => {
    for (const wrong of [
      { redirect_uri: "https://evil.example.test/" },
      { code_challenge: undefined, code_challenge_method: undefined },
      { response_type: "cod" },
    ]) {
      const { status, body } = await start({ send: "link", authParams: parametersOf(app, wrong) });
      expect([status, body]).toEqual([400, expect.objectContaining({ error_description: expect.any(String) })]);
      jsonBody(await start({ authParams: parametersOf(app, wrong) }));
      expect(outbox.take(email)).not.toHaveProperty("link");
    }
  });

  test("never redirects to an unregistered redirect URI that a form contains", async () => {
    const page = await openLink(service.browser(), await linkFor());
    const browser = service.browser();
    const to = await submitForm(browser, page, { redirect_uri: "https://evil.example.test/" });
    const response = await browser.get(to);
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  test("a page of the client can override the stored parameters", async () => {
    jsonBody(await start({ send: "code" }));
    const code = codeOf(outbox.take(email));
    const place = { client_id: app.clientId, connection: "email", email, verification_code: code };
    const verify = (verification_code: string): Promise<ApiResponse> =>
      service.call("POST", "/passwordless/verify", { body: { ...place, verification_code } });
    expectError(await verify(differentCode(code)), 400, "invalid_grant", "Wrong email");
    for (let i = 0; i < 2; i++) expect(jsonBody(await verify(code))).toEqual({});
    const implicit = {
      response_type: "id_token",
      response_mode: "fragment",
      state: "there",
      nonce: "n-9",
      redirect_uri: app.redirectUri,
      scope: "openid email",
    };
    const response = successParameters(
      await follow(service.browser(), `/passwordless/verify_redirect?${new URLSearchParams({ ...place, ...implicit })}`),
    );
    expect(response["state"]).toBe("there");
    expect(claimsOf(response["id_token"] ?? "")).toMatchObject({ nonce: "n-9", email });
    expectError(await verify(code), 400, "invalid_grant");
  });

  test("each verification by a program counts as an attempt, and five invalidate the code", async () => {
    jsonBody(await start({ send: "code" }));
    const code = codeOf(outbox.take(email));
    const verify = (): Promise<ApiResponse> =>
      service.call("POST", "/passwordless/verify", {
        body: { client_id: app.clientId, connection: "email", email, verification_code: code },
      });
    for (let i = 0; i < 5; i++) jsonBody(await verify());
    expectError(await verify(), 400, "invalid_grant");
  });

  test("rejects a cross-site form", async () => {
    const page = await openLink(service.browser(), await linkFor());
    const browser = service.browser();
    for (const origin of ["https://evil.example.test", "null"]) {
      const response = await browser.post(formAction(page.html) ?? "", { form: formFields(page.html), headers: { origin } });
      expect(response.status).toBe(403);
    }
    expect(browser.cookies.size).toBe(0);
    expect(await submitForm(browser, page)).toContain("/authorize?");
  });

  test("shows the prompts of the authorization request: a third-party client requires consent", async () => {
    const other = await service.register({ is_first_party: false, grant_types: ["authorization_code"] });
    const link = await linkFor({ client_id: other.clientId, authParams: parametersOf(other, { prompt: "login" }) });
    expect(await follow(service.browser(), link)).toMatchObject({ kind: "login", step: "consent" });
  });

  test("replaces the session of another user", async () => {
    const browser = service.browser();
    successParameters(await follow(browser, await linkFor()));
    email = `${randomString().toLowerCase()}@example.test`;
    successParameters(await follow(browser, await linkFor()));
    const response = successParameters(
      await sendAuthorization(browser, app, { response_type: "id_token", response_mode: "fragment", scope: "openid email" }),
    );
    expect(claimsOf(response["id_token"] ?? "")).toMatchObject({ email });
  });

  test("shows a blocked user an error, and creates no session", async () => {
    successParameters(await follow(service.browser(), await linkFor()));
    const { body } = await service.manage("GET", `/api/v2/users-by-email?email=${encodeURIComponent(email)}`);
    const [user] = body as { user_id: string }[];
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(user?.user_id ?? "")}`, { blocked: true });
    const browser = service.browser();
    const page = await openLink(browser, await submitForm(browser, await openLink(browser, await linkFor())));
    expect(page).toMatchObject({ status: 400, title: "This account is blocked" });
    expect(browser.cookies.size).toBe(0);
  });

  test("creates a session that also serves silent requests of other clients", async () => {
    const browser = service.browser();
    successParameters(await follow(browser, await linkFor()));
    successParameters(await sendAuthorization(browser, service.web, { prompt: "none" }));
    expect(errorParameters(await sendAuthorization(service.browser(), service.web, { prompt: "none" }))["error"]).toBe("login_required");
  });

  test.each([
    ["no client", { client_id: undefined }],
    ["an unknown client", { client_id: "never" }],
    ["no connection", { connection: undefined }],
    ["no email address", { email: undefined }],
    ["an invalid email address", { email: "mira" }],
    ["an oversized code", { verification_code: "1".repeat(101) }],
  ])("responds to a link with %s with an error page", async (_, changed) => {
    const all = { client_id: app.clientId, connection: "email", email, verification_code: "123456", ...changed };
    const sent = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
    const response = await service.browser().get(`/passwordless/verify_redirect?${new URLSearchParams(sent)}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
    expect((await service.browser().post("/passwordless/verify_redirect", { form: sent })).status).toBe(400);
  });

  test("a link without a code shows that it expired", async () => {
    const sent = new URLSearchParams({ client_id: app.clientId, connection: "email", email });
    expect(await openLink(service.browser(), `/passwordless/verify_redirect?${sent}`)).toMatchObject({ status: 400, actions: [] });
  });

  test("logs no internal errors during these tests", () => {
    expect(service.faults).toEqual([]);
  });
});
