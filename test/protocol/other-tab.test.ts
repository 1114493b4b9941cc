import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  followRedirects,
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  getFlow,
  openService,
  errorParameters,
  screenName,
  sendForm,
  submitStep,
  submit,
  tokens,
  type App,
  type AuthorizationParameters,
  type FlowStep,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";

let service: LoginService;
let partner: App;
let browser: Browser;
beforeEach(async () => {
  service = await openService();
  partner = await service.register({ secret: true, name: "Partner", is_first_party: false });
  browser = service.browser();
  await login(browser, service.web, service.ada);
});

/** Signs Bob in, in another tab. */
const switchToBob = async (): Promise<void> => {
  await login(browser, service.web, service.bob, { prompt: "login" });
};

/** Loads the current page of a login session. @returns a function that sends its form later. */
async function draw(state: string): Promise<(taken: FlowStep) => Promise<FlowResult>> {
  const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
  expect(page).toContain(service.ada.email);
  return async (action) => followRedirects(browser, await sendForm(browser, page, action));
}

describe("a form from a page for Ada, sent after Bob signed in in another tab", () => {
  test("prompts Bob for consent, and stores no consent", async () => {
    const state = loginState(await sendAuthorization(browser, partner));
    const send = await draw(state);
    await switchToBob();
    const repeated = await send({ action: "accept" });
    expect(repeated).toMatchObject({ kind: "page", status: 200, html: expect.stringContaining(service.bob.email) });
    expect(screenName(await getFlow(browser, state))).toBe("consent");
    expect(errorParameters(await sendAuthorization(browser, partner, { prompt: "none" }))["error"]).toBe("consent_required");

    const { code = "" } = successParameters(await submit(browser, state, { action: "accept" }));
    expect(claimsOf(tokens(await service.exchange(codeGrant(partner, code))).id).sub).toBe(service.bob.userId);
  });

  test("prompts Bob for consent in the JSON flow API, and stores no consent", async () => {
    const state = loginState(await sendAuthorization(browser, partner));
    const { csrf } = await getFlow(browser, state);
    await switchToBob();
    const reply: unknown = await (await browser.post("/u/flow", { json: { state, csrf, action: "accept" } })).json();
    expect(reply).toMatchObject({ screen: { name: "consent", account: service.bob.email } });
    expect(errorParameters(await sendAuthorization(browser, partner, { prompt: "none" }))["error"]).toBe("consent_required");
  });

  test("shows Bob in the account chooser, and signs no user in", async () => {
    const state = loginState(await sendAuthorization(browser, service.web, { prompt: "select_account" }));
    const send = await draw(state);
    await switchToBob();
    const repeated = await send({ action: "continue-as" });
    expect(repeated).toMatchObject({ kind: "page", html: expect.stringContaining(service.bob.email) });
    expect(screenName(await getFlow(browser, state))).toBe("select-account");
    successParameters(await submit(browser, state, { action: "continue-as" }));
  });

  test("prompts for the organization again", async () => {
    const organizations = organizationsBy(service.manage);
    const [acme, birch] = [await organizations.create("acme"), await organizations.create("birch")];
    for (const id of [acme, birch]) await organizations.addMembers(id, service.ada, service.bob);
    const app = await service.register({ organization_usage: "require", organization_require_behavior: "post_login_prompt" });
    const state = loginState(await sendAuthorization(browser, app));
    const send = await draw(state);
    await switchToBob();
    const repeated = await send({ action: "select-organization", organization: acme });
    expect(repeated).toMatchObject({ kind: "page", html: expect.stringContaining(service.bob.email) });
    successParameters(await submit(browser, state, { action: "select-organization", organization: acme }));
  });

  test("prompts for the invitation again, and adds no member", async () => {
    const organizations = organizationsBy(service.manage);
    const acme = await organizations.create("acme");
    const app = await service.register({ organization_usage: "allow" });
    const sent = { inviter: { name: "Ann" }, invitee: { email: service.ada.email }, client_id: app.clientId };
    const invitation = await service.manage.create(`/api/v2/organizations/${acme}/invitations`, sent);
    const parameters: AuthorizationParameters = { invitation: stringMember(invitation, "ticket_id"), organization: acme };
    const state = loginState(await sendAuthorization(browser, app, parameters));
    const send = await draw(state);
    await switchToBob();
    // The invited email address moves to Bob, so he is the invited user now. He has not accepted yet.
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { email: "elsewhere@example.test" });
    const moved = { email: service.ada.email, email_verified: true };
    jsonBody(await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.bob.userId)}`, moved));
    const repeated = await send({ action: "accept-invitation" });
    expect(repeated).toMatchObject({ kind: "page", status: 200 });
    expect(await organizations.members(acme)).toEqual([]);
    successParameters(await submit(browser, state, { action: "accept-invitation" }));
    expect(await organizations.members(acme)).toMatchObject([{ user_id: service.bob.userId }]);
  });

  test("declines the consent without another prompt", async () => {
    const send = await draw(loginState(await sendAuthorization(browser, partner)));
    await switchToBob();
    expect(errorParameters(await send({ action: "deny" }))["error"]).toBe("access_denied");
  });
});

describe("max_age when the code is issued", () => {
  const reachConsent = async (parameters: AuthorizationParameters): Promise<string> => {
    const state = loginState(await sendAuthorization(browser, partner, parameters));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    expect(screenName(await submitStep(browser, state, { action: "sign-in", password: service.ada.password }))).toBe("consent");
    return state;
  };

  test("prompts for authentication again if the user stayed on a page of the login session longer than max_age", async () => {
    const state = await reachConsent({ max_age: "60", prompt: "login" });
    const send = await draw(state);
    service.clock.advance("61s");
    expect(await send({ action: "accept" })).toMatchObject({ kind: "page", status: 200 });
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "password", identifier: service.ada.email } });
    await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
    const { code = "" } = successParameters(await submit(browser, state, { action: "accept" }));
    const { auth_time: provedAt } = claimsOf(tokens(await service.exchange(codeGrant(partner, code))).id);
    expect(provedAt).toBe(Math.floor(service.clock.now() / 1000));
  });

  test("does not prompt again within max_age", async () => {
    const state = await reachConsent({ max_age: "60", prompt: "login" });
    service.clock.advance("59s");
    successParameters(await submit(browser, state, { action: "accept" }));
  });

  test("accepts a login in this login session for max_age=0, however long its other pages take", async () => {
    const state = await reachConsent({ max_age: "0" });
    service.clock.advance("5s");
    successParameters(await submit(browser, state, { action: "accept" }));
  });
});
