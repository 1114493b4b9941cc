import { beforeEach, describe, expect, test } from "vitest";
import { stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  successParameters,
  login,
  loginState,
  getFlow,
  openService,
  openStep,
  redirectOf,
  errorParameters,
  signInAtLoginPage,
  submitStep,
  submit,
  readResult,
  type TestAccount,
  type App,
  type LoginService,
} from "../support/flow.ts";
import { organizationsBy, type OrganizationManager } from "../support/organizations.ts";

let service: LoginService;
let organizations: OrganizationManager;
let app: App;
let acme: string;
let browser: Browser;

beforeEach(async () => {
  service = await openService();
  organizations = organizationsBy(service.manage);
  app = await service.register({ organization_usage: "allow" });
  acme = await organizations.create("acme", { display_name: "Acme Inc." });
  browser = service.browser();
});

const invite = (more: object = {}): Promise<JsonBody> =>
  service.manage.create(`/api/v2/organizations/${acme}/invitations`, {
    inviter: { name: "Ann" },
    invitee: { email: service.ada.email },
    client_id: app.clientId,
    ...more,
  });
const withTicket = (invitation: JsonBody): { readonly invitation: string; readonly organization: string } => ({
  invitation: stringMember(invitation, "ticket_id"),
  organization: acme,
});
const revoke = (invitation: JsonBody): Promise<unknown> =>
  service.manage("DELETE", `/api/v2/organizations/${acme}/invitations/${stringMember(invitation, "id")}`);

/** Signs in with the forms. */
async function verifyBy(state: string, { email, password }: TestAccount): Promise<void> {
  await submit(browser, state, { action: "continue", identifier: email });
  await submit(browser, state, { action: "sign-in", password });
}

describe("signing in does not accept an invitation", () => {
  test("shows the inviter and the organization on the login pages, and prompts for the invitation on a separate page", async () => {
    const state = loginState(await sendAuthorization(browser, app, withTicket(await invite())));
    for (const name of ["identifier", "password"]) {
      const html = await (await openStep(browser, state, name)).text();
      expect(html, name).toContain("Ann");
      expect(html, name).toContain("Acme Inc.");
      await submit(browser, state, { action: "continue", identifier: service.ada.email });
    }
    const requested = await submit(browser, state, { action: "sign-in", password: service.ada.password });
    expect(requested).toMatchObject({ kind: "page", status: 200, html: expect.stringContaining("Join Acme Inc.?") });
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "invitation", invited: true, account: service.ada.email } });
    expect(await organizations.members(acme)).toEqual([]);
    successParameters(await submit(browser, state, { action: "accept-invitation" }));
    expect(await organizations.members(acme)).toMatchObject([{ user_id: service.ada.userId }]);
  });

  test("continuing with an account in the account chooser does not accept the invitation either", async () => {
    await login(browser, app, service.ada);
    const state = loginState(await sendAuthorization(browser, app, { ...withTicket(await invite()), prompt: "select_account" }));
    expect(await submitStep(browser, state, { action: "continue-as" })).toMatchObject({ screen: { name: "invitation" } });
    expect(await organizations.members(acme)).toEqual([]);
  });
});

describe("declining an invitation for now", () => {
  test.each([undefined, "form_post"])("redirects to the client with an error by %s, and keeps the invitation", async (response_mode) => {
    const invitation = await invite();
    const state = loginState(await sendAuthorization(browser, app, { ...withTicket(invitation), response_mode }));
    await verifyBy(state, service.ada);
    expect(errorParameters(await submit(browser, state, { action: "not-now" }))).toMatchObject({ error: "access_denied", state: "st-1" });
    expect(await organizations.members(acme)).toEqual([]);

    const later = loginState(await sendAuthorization(browser, app, withTicket(invitation)));
    successParameters(await submit(browser, later, { action: "accept-invitation" }));
    expect(await organizations.members(acme)).toMatchObject([{ user_id: service.ada.userId }]);
  });

  test("redirects to the app's home page without parameters if no client requested the login", async () => {
    const url = stringMember(await invite(), "invitation_url");
    const state = loginState(await readResult(await browser.get(url)));
    await verifyBy(state, service.ada);
    expect(await submit(browser, state, { action: "not-now" })).toEqual({
      kind: "response",
      mode: "query",
      to: "https://app.example.test/",
      parameters: {},
    });
    expect(await organizations.members(acme)).toEqual([]);
    const later = loginState(await readResult(await browser.get(url)));
    expect(redirectOf(await submitStep(browser, later, { action: "accept-invitation" }))).toMatchObject({
      to: "https://app.example.test/",
    });
    expect(await organizations.members(acme)).toMatchObject([{ user_id: service.ada.userId }]);
  });

  test("is possible for another user", async () => {
    await login(browser, app, service.bob);
    const state = loginState(await sendAuthorization(browser, app, withTicket(await invite())));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { invited: false } });
    expect(errorParameters(await submit(browser, state, { action: "not-now" }))).toMatchObject({ error: "access_denied" });
  });
});

describe("an invalid invitation without a client request", () => {
  /** Opens an invitation in the browser of the invited user, who has a session. */
  const opened = async (more: object = {}): Promise<{ readonly invitation: JsonBody; readonly state: string; readonly url: string }> => {
    await login(browser, app, service.ada);
    const invitation = await invite(more);
    const url = stringMember(invitation, "invitation_url");
    const state = loginState(await readResult(await browser.get(url)));
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "invitation" } });
    return { invitation, state, url };
  };
  const expectPage = async (response: Response, title: string): Promise<void> => {
    const html = await response.text();
    expect(html).toContain(title);
    expect(html).toMatch(/id="error-code"[^>]*>access_denied/);
    expect(html, "a link to the app").toContain('href="https://app.example.test/"');
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
  };

  test("leads to a page that says that it expired, during the login and when the link is opened", async () => {
    const { state, url } = await opened({ ttl_sec: 60 });
    service.clock.advance("60s");
    await expectPage(await openStep(browser, state), "This invitation has expired");
    await expectPage(await service.browser().get(url), "This invitation has expired");
    expect(await organizations.members(acme)).toEqual([]);
  });

  test("leads to a page that says that it was revoked, if this happened during the login", async () => {
    const { invitation, state } = await opened();
    await revoke(invitation);
    await expectPage(await openStep(browser, state), "This invitation was withdrawn");
    expect(await organizations.members(acme)).toEqual([]);
  });

  test("leads to a page that says that it was revoked, if this happened before the link was opened", async () => {
    const { invitation, url } = await opened();
    await revoke(invitation);
    const page = await service.browser().get(url);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain("This invitation was withdrawn");
  });

  test("leads to an error page for any other reason, and not to the app's home page", async () => {
    const { state } = await opened();
    await submit(browser, state, { action: "accept-invitation" });
    await organizations.removeMember(acme, service.ada);
    service.clock.advance("1m");
    const second = await readResult(await browser.get(stringMember(await invite(), "invitation_url")));
    const connections = `/api/v2/clients/${app.clientId}/connections`;
    expect(await service.manage("PATCH", connections, [])).toMatchObject({ status: 200 });
    service.clock.advance("6s");
    const response = await openStep(browser, loginState(second));
    expect(response.headers.get("location")).toBeNull();
    expect(await response.text()).toMatch(/id="error-code"[^>]*>access_denied/);
  });

  test("leads to a page that says that another account with the email address accepted it in the meantime", async () => {
    const { invitation, state } = await opened();
    await service.manage.create("/api/v2/connections", { name: "second", strategy: "auth0", options: { passwordPolicy: "none" } });
    const { email, password } = service.ada;
    const duplicate = stringMember(await service.manage.create("/api/v2/users", { connection: "second", email, password }), "user_id");
    const other = service.browser();
    const result = await sendAuthorization(other, app, { ...withTicket(invitation), connection: "second" });
    successParameters(await signInAtLoginPage(other, result, { email, password, userId: duplicate }));
    await expectPage(await openStep(browser, state), "This invitation was already used");
    expect(await organizations.members(acme)).toMatchObject([{ user_id: duplicate }]);
  });
});
