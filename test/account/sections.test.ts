import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody, list } from "../support/api.ts";
import { formFields, type Browser } from "../support/browser.ts";
import {
  claimsOf,
  login,
  obtainTokens,
  offline,
  openService,
  readResult,
  refreshGrant,
  sendAuthorization,
  signInAtLoginPage,
  type LoginService,
  type TestAccount,
} from "../support/flow.ts";
import { openSection, showSections, signInBrowser, submitForm } from "./page.ts";

/** The sections of the account page. The section `security` has its own tests. */

let service: LoginService;
let browser: Browser;

beforeEach(async () => {
  service = await openService();
  await showSections(service);
  browser = await signInBrowser(service, service.ada);
});

const userPath = (account: TestAccount) => `/api/v2/users/${encodeURIComponent(account.userId)}`;
const userOf = async (account: TestAccount) => jsonBody(await service.manage("GET", userPath(account)));

describe("the account page", () => {
  test("lists the sections that the tenant shows, and hides the others", async () => {
    const home = await openSection(browser, "");
    expect(home.status).toBe(200);
    for (const name of ["profile", "security", "sessions", "apps", "language", "events"]) expect(home.html).toContain(`/u/account/${name}`);
    await showSections(service, { apps: "hidden", events: "hidden" });
    expect((await openSection(browser, "")).html).not.toContain("/u/account/apps");
    expect((await openSection(browser, "apps")).status).toBe(404);
    expect((await browser.post("/u/account/apps", { form: { csrf: "x", action: "remove-app" } })).status).toBe(404);
  });

  test("has only the security section until the tenant shows others", async () => {
    const plain = await openService();
    const visitor = plain.browser();
    await login(visitor, plain.web, plain.ada);
    const home = await visitor.get("/u/account");
    expect(home.headers.get("location")).toMatch(/\/u\/account\/security(\?|$)/);
    for (const name of ["profile", "sessions", "apps", "language", "events", "export", "deletion"])
      expect((await openSection(visitor, name)).status, name).toBe(404);
  });

  test("lets a visitor sign in with the default client, and opens the section afterwards", async () => {
    const visitor = service.browser();
    const result = await readResult(await visitor.get("/u/account/profile?view=edit"));
    const done = await signInAtLoginPage(visitor, result, service.ada);
    expect(done).toMatchObject({ kind: "response", to: "https://id.example.test/u/account/profile", parameters: { view: "edit" } });
    expect(done).not.toHaveProperty("parameters.code");
    expect((await openSection(visitor, "profile", { view: "edit" })).actions).toEqual(["save-profile"]);
  });

  test("lets a visitor sign in with the client in the URL, and links back to the return URL", async () => {
    const visitor = service.browser();
    const returnTo = "https://app.example.test/settings?tab=1";
    const query = { client_id: service.spa.clientId, returnTo };
    const result = await readResult(await visitor.get(`/u/account?${new URLSearchParams(query)}`));
    const done = await signInAtLoginPage(visitor, result, service.ada);
    expect(done).toMatchObject({ to: "https://id.example.test/u/account", parameters: query });
    const home = await openSection(visitor, "", query);
    expect(home.html).toContain(`href="${returnTo}"`);
    const section = await openSection(visitor, "profile", query);
    expect(section.html).toContain(`href="${returnTo}"`);
    expect(formFields((await openSection(visitor, "profile", { ...query, view: "edit" })).html)).toMatchObject(query);
  });

  test.each([
    "https://evil.example.test/",
    "https://app.example.test.evil.test/",
    "https://app.example.test@evil.test/",
    "https://ada:x@app.example.test/",
    "javascript:alert(1)",
    "//evil.test",
    "/relative",
    "http://app.example.test/",
  ])("rejects the return URL %s", async (returnTo) => {
    const query = { client_id: service.web.clientId, returnTo };
    for (const visitor of [browser, service.browser()])
      for (const section of ["", "profile", "security"]) expect((await openSection(visitor, section, query)).status, section).toBe(400);
  });

  test("rejects clients of another tenant, unknown clients, third-party clients, and a return URL without a client", async () => {
    await service.postern.seed({ tenantId: "other", clients: [{ clientId: "foreign", settings: { name: "Foreign", app_type: "spa" } }] });
    const third = await service.register({ is_first_party: false });
    for (const clientId of ["foreign", "none", third.clientId])
      for (const visitor of [browser, service.browser()])
        expect((await openSection(visitor, "profile", { client_id: clientId, tenant: "main" })).status, clientId).toBe(400);
    await service.manage("PATCH", "/api/v2/tenants/settings", { account_page: { sections: { profile: "shown" } } });
    service.clock.advance("6s");
    expect((await openSection(browser, "profile", { returnTo: "https://app.example.test/" })).status).toBe(400);
    expect(await openSection(service.browser(), "profile")).toMatchObject({ status: 403, title: "Sign in first" });
  });

  test("links to the support of the tenant, and to the terms and the privacy policy of the client", async () => {
    await service.manage("PATCH", "/api/v2/tenants/settings", { support_email: "help@example.test" });
    const links = { tos_uri: "https://app.example.test/terms", policy_uri: "https://app.example.test/privacy" };
    jsonBody(await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}`, links));
    service.clock.advance("6s");
    for (const section of ["", "profile"]) {
      const { html } = await openSection(browser, section);
      for (const href of [...Object.values(links), "mailto:help@example.test"]) expect(html, section).toContain(`href="${href}"`);
    }
  });

  test("cannot be embedded in a frame", async () => {
    const response = await browser.get("/u/account/profile");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });
});

describe("the profile", () => {
  const fields = { name: "Ada King", given_name: "Ada", family_name: "King", nickname: "" };

  test("is changed by its user, and the change is audited", async () => {
    const form = await openSection(browser, "profile", { view: "edit" });
    const saved = await submitForm(browser, form, { action: "save-profile", ...fields });
    expect(saved.location?.searchParams.get("done")).toBe("saved");
    expect(await userOf(service.ada)).toMatchObject({ name: "Ada King", given_name: "Ada", family_name: "King" });
    expect(await userOf(service.ada)).not.toHaveProperty("nickname");
    expect((await openSection(browser, "profile", { done: "saved" })).html).toContain("Ada King");
    const events = await auditEvents(service.manage, "my_account_profile_succeeded");
    expect(events).toMatchObject([{ user_id: service.ada.userId, details: { fields: Object.keys(fields) } }]);
  });

  test("is not changed with a session of last week, and after a new sign-in it is", async () => {
    const form = await openSection(browser, "profile", { view: "edit" });
    service.clock.advance("16m");
    const before = await userOf(service.ada);
    const refused = await submitForm(browser, form, { action: "save-profile", ...fields });
    expect(refused.location?.searchParams.get("view")).toBe("edit");
    const closed = await openSection(browser, "profile", { view: "edit" });
    expect(closed).toMatchObject({ title: "Sign in again", actions: ["sign-in-again"] });
    expect(await userOf(service.ada)).toEqual(before);
    const response = await browser.post("/u/account/profile", { form: { ...formFields(closed.html), action: "sign-in-again" } });
    const done = await signInAtLoginPage(browser, await readResult(response), service.ada);
    expect(done).toMatchObject({ to: "https://id.example.test/u/account/profile", parameters: { view: "edit" } });
    await submitForm(browser, await openSection(browser, "profile", { view: "edit" }), { action: "save-profile", ...fields });
    expect(await userOf(service.ada)).toMatchObject({ name: "Ada King" });
  });

  test("is not changed from another site, without the token, with the token of another user, and if it is read-only", async () => {
    const before = await userOf(service.ada);
    const bobs = await signInBrowser(service, service.bob);
    const form = formFields((await openSection(browser, "profile", { view: "edit" })).html);
    const post = (own: Browser, more: object, headers = {}) =>
      own.post("/u/account/profile", { form: { ...form, action: "save-profile", ...fields, ...more }, headers });
    expect((await post(browser, {}, { origin: "https://evil.example.test" })).status).toBe(403);
    expect((await post(browser, { csrf: "x" })).headers.get("location")).toContain("problem=conflict");
    // The form of Ada's tab, after Bob signed in in another tab.
    expect((await post(bobs, {})).headers.get("location")).toContain("problem=conflict");
    expect((await post(service.browser(), {})).headers.get("location")).toContain("/u/account/profile");
    await showSections(service, { profile: "read_only" });
    await post(browser, {});
    expect((await openSection(browser, "profile")).html).not.toContain("view=edit");
    expect((await browser.get("/u/account/profile?view=edit")).status).toBe(303);
    expect(await userOf(service.ada)).toEqual(before);
  });

  test("keeps its name: a missing or too long one is rejected", async () => {
    const form = await openSection(browser, "profile", { view: "edit" });
    const sent = async (more: object) =>
      (await submitForm(browser, form, { action: "save-profile", ...fields, ...more })).location?.searchParams;
    expect((await sent({ name: "  " }))?.get("problem")).toBe("name-missing");
    expect((await sent({ given_name: "x".repeat(151) }))?.get("problem")).toBe("value-invalid");
    expect((await openSection(browser, "profile", { view: "edit", problem: "value-invalid" })).html).toContain('id="problem"');
  });

  test("of a blocked user is not changed by a form that was opened before", async () => {
    const form = await openSection(browser, "profile", { view: "edit" });
    await service.manage("PATCH", userPath(service.ada), { blocked: true });
    const before = await userOf(service.ada);
    await submitForm(browser, form, { action: "save-profile", ...fields });
    expect(await userOf(service.ada)).toEqual(before);
  });
});

describe("the sessions", () => {
  const sessionsOf = async (account: TestAccount) =>
    list({ ...(await service.manage("GET", `${userPath(account)}/sessions`)), body: (await sessionsBody(account))["sessions"] });
  const sessionsBody = async (account: TestAccount) => jsonBody(await service.manage("GET", `${userPath(account)}/sessions`));

  test("are listed, and one of them or all others are ended", async () => {
    const phone = await signInBrowser(service, service.ada);
    const tablet = await signInBrowser(service, service.ada);
    const page = await openSection(browser, "sessions");
    expect(page.actions).toEqual(["end-session", "end-session", "end-other-sessions"]);
    const ids = [...page.html.matchAll(/name="session" value="([^"]+)"/g)].map(([, id = ""]) => id);
    const one = await submitForm(browser, page, { action: "end-session", session: ids[0] ?? "" });
    expect(one.location?.searchParams.get("done")).toBe("ended");
    expect(await sessionsOf(service.ada)).toHaveLength(2);
    const others = await submitForm(browser, await openSection(browser, "sessions"), { action: "end-other-sessions" });
    expect(others.location?.searchParams.get("done")).toBe("others-ended");
    expect(await sessionsOf(service.ada)).toHaveLength(1);
    for (const own of [phone, tablet]) expect((await sendAuthorization(own, service.web, { prompt: "none" })).kind).toBe("response");
    expect((await openSection(browser, "sessions")).status).toBe(200);
    expect(await auditEvents(service.manage, "slo")).toHaveLength(2);
  });

  test("of another user stay when a form contains their ids", async () => {
    await signInBrowser(service, service.bob);
    const [bobs] = await sessionsOf(service.bob);
    const phone = await signInBrowser(service, service.ada);
    const page = await openSection(browser, "sessions");
    const reply = await submitForm(browser, page, { action: "end-session", session: String(bobs?.["id"]) });
    expect(reply.location?.searchParams.has("done")).toBe(false);
    await submitForm(browser, page, { action: "end-other-sessions" });
    expect(await sessionsOf(service.bob)).toHaveLength(1);
    expect((await openSection(phone, "sessions")).html).not.toContain("end-session");
  });

  test("that expired are listed while their refresh token is valid, which ends with them", async () => {
    const tokens = await obtainTokens(service, service.spa, service.ada, offline);
    service.clock.advance("4d");
    const again = await signInBrowser(service, service.ada);
    const page = await openSection(again, "sessions");
    const sid = String(claimsOf(tokens.access)["sid"]);
    expect(page.html).toContain(`value="${sid}"`);
    await submitForm(again, page, { action: "end-session", session: sid });
    expect((await service.exchange(refreshGrant(service.spa, tokens.refresh))).status).toBe(400);
  });
});

describe("connected apps", () => {
  test("are listed with their scopes, and lose their tokens when the user removes them", async () => {
    const tokens = await obtainTokens(service, service.spa, service.ada, offline, browser);
    const page = await openSection(browser, "apps");
    expect(page.html).toContain("offline_access");
    const id = service.spa.clientId;
    const form = await openSection(browser, "apps", { view: "remove", id });
    expect(form.actions).toEqual(["remove-app"]);
    const removed = await submitForm(browser, form, { action: "remove-app" });
    expect(removed.location?.searchParams.get("done")).toBe("removed");
    expect((await openSection(browser, "apps")).html).not.toContain("offline_access");
    expect((await service.exchange(refreshGrant(service.spa, tokens.refresh))).status).toBe(400);
    expect((await service.userinfo(tokens.access)).status).toBe(401);
  });

  test("of another user stay, and a session of last week removes none", async () => {
    const bobs = await obtainTokens(service, service.spa, service.bob, offline);
    const own = await obtainTokens(service, service.spa, service.ada, offline, browser);
    const form = await openSection(browser, "apps", { view: "remove", id: service.spa.clientId });
    service.clock.advance("16m");
    await submitForm(browser, form, { action: "remove-app" });
    const next = await service.exchange(refreshGrant(service.spa, own.refresh));
    expect(next.status).toBe(200);
    const fresh = await signInBrowser(service, service.ada);
    await submitForm(fresh, await openSection(fresh, "apps", { view: "remove", id: service.spa.clientId }), { action: "remove-app" });
    expect((await service.exchange(refreshGrant(service.spa, bobs.refresh))).status).toBe(200);
    expect((await openSection(fresh, "apps", { view: "remove", id: "unknown" })).status).toBe(303);
  });
});

describe("language and time zone", () => {
  test("are chosen by the user, appear in tokens, and select the language of the page", async () => {
    const form = await openSection(browser, "language", { view: "edit" });
    expect(form.html).toContain('<option value="de">Deutsch</option>');
    await submitForm(browser, form, { action: "save-language", locale: "de", zoneinfo: "Europe/Berlin" });
    expect(await userOf(service.ada)).toMatchObject({ locale: "de", zoneinfo: "Europe/Berlin" });
    const { id } = await obtainTokens(service, service.web, service.ada, { scope: "openid profile" }, browser);
    expect(claimsOf(id)).toMatchObject({ locale: "de", zoneinfo: "Europe/Berlin" });
    const page = await openSection(browser, "sessions");
    expect(page).toMatchObject({ title: "Geräte" });
    expect(page.html).toContain("MEZ");
    await submitForm(browser, await openSection(browser, "language", { view: "edit" }), {
      action: "save-language",
      locale: "",
      zoneinfo: "",
    });
    expect(await userOf(service.ada)).not.toHaveProperty("locale");
  });

  test.each([
    { locale: "xx", zoneinfo: "" },
    { locale: "", zoneinfo: "Mars/Olympus" },
    { locale: "<b>", zoneinfo: "" },
  ])("are not set to values that were not offered: %j", async (values) => {
    const form = await openSection(browser, "language", { view: "edit" });
    const reply = await submitForm(browser, form, { action: "save-language", ...values });
    expect(reply.location?.searchParams.get("problem")).toBe("value-invalid");
    expect(await userOf(service.ada)).not.toHaveProperty("zoneinfo");
  });
});

test("recent events are those of the user, in words", async () => {
  await signInBrowser(service, service.bob);
  const { html } = await openSection(browser, "events");
  expect(html.match(/>Signed in</g)).toHaveLength(1);
  expect(html).not.toContain("seacft");
  await submitForm(browser, await openSection(browser, "profile", { view: "edit" }), { action: "save-profile", name: "A" });
  expect((await openSection(browser, "events")).html).toContain("Profile changed");
});
