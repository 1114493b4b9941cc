import { beforeEach, describe, expect, test } from "vitest";
import { object, text } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  followRedirects,
  authorize,
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
  step,
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

/** Draws the page that a login session shows now, to send its form later. */
async function draw(state: string): Promise<(taken: FlowStep) => Promise<FlowResult>> {
  const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
  expect(page).toContain(service.ada.email);
  return async (taken) => followRedirects(browser, await sendForm(browser, page, taken));
}

describe("a page that showed Ada, sent after Bob signed in at another tab", () => {
  test("consent: is asked again, of Bob, and nobody allowed anything", async () => {
    const state = loginState(await authorize(browser, partner));
    const send = await draw(state);
    await switchToBob();
    const again = await send({ action: "accept" });
    expect(again).toMatchObject({ kind: "page", status: 200, html: expect.stringContaining(service.bob.email) });
    expect(screenName(await getFlow(browser, state))).toBe("consent");
    expect(errorParameters(await authorize(browser, partner, { prompt: "none" }))["error"]).toBe("consent_required");

    const { code = "" } = successParameters(await submit(browser, state, { action: "accept" }));
    expect(claimsOf(tokens(await service.exchange(codeGrant(partner, code))).id).sub).toBe(service.bob.userId);
  });

  test("consent by the JSON flow API: the same", async () => {
    const state = loginState(await authorize(browser, partner));
    const { csrf } = await getFlow(browser, state);
    await switchToBob();
    const reply: unknown = await (await browser.post("/u/flow", { json: { state, csrf, action: "accept" } })).json();
    expect(reply).toMatchObject({ screen: { name: "consent", account: service.bob.email } });
    expect(errorParameters(await authorize(browser, partner, { prompt: "none" }))["error"]).toBe("consent_required");
  });

  test("the account chooser: offers Bob, and goes on as nobody", async () => {
    const state = loginState(await authorize(browser, service.web, { prompt: "select_account" }));
    const send = await draw(state);
    await switchToBob();
    const again = await send({ action: "continue-as" });
    expect(again).toMatchObject({ kind: "page", html: expect.stringContaining(service.bob.email) });
    expect(screenName(await getFlow(browser, state))).toBe("select-account");
    successParameters(await submit(browser, state, { action: "continue-as" }));
  });

  test("the choice of an organization: is asked again", async () => {
    const organizations = organizationsBy(service.manage);
    const [acme, birch] = [await organizations.create("acme"), await organizations.create("birch")];
    for (const id of [acme, birch]) await organizations.addMembers(id, service.ada, service.bob);
    const app = await service.register({ organization_usage: "require", organization_require_behavior: "post_login_prompt" });
    const state = loginState(await authorize(browser, app));
    const send = await draw(state);
    await switchToBob();
    const again = await send({ action: "select-organization", organization: acme });
    expect(again).toMatchObject({ kind: "page", html: expect.stringContaining(service.bob.email) });
    successParameters(await submit(browser, state, { action: "select-organization", organization: acme }));
  });

  test("an invitation: is asked again, and Bob has not joined", async () => {
    const organizations = organizationsBy(service.manage);
    const acme = await organizations.create("acme");
    const app = await service.register({ organization_usage: "allow" });
    const sent = { inviter: { name: "Ann" }, invitee: { email: service.ada.email }, client_id: app.clientId };
    const invitation = await service.manage.create(`/api/v2/organizations/${acme}/invitations`, sent);
    const asked: AuthorizationParameters = { invitation: text(invitation, "ticket_id"), organization: acme };
    const state = loginState(await authorize(browser, app, asked));
    const send = await draw(state);
    await switchToBob();
    // The address moves to Bob, so that he is the one who is invited now: he still has not said yes.
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.ada.userId)}`, { email: "elsewhere@example.test" });
    const moved = { email: service.ada.email, email_verified: true };
    object(await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(service.bob.userId)}`, moved));
    const again = await send({ action: "accept-invitation" });
    expect(again).toMatchObject({ kind: "page", status: 200 });
    expect(await organizations.members(acme)).toEqual([]);
    successParameters(await submit(browser, state, { action: "accept-invitation" }));
    expect(await organizations.members(acme)).toMatchObject([{ user_id: service.bob.userId }]);
  });

  test("declining needs nobody to be asked again", async () => {
    const send = await draw(loginState(await authorize(browser, partner)));
    await switchToBob();
    expect(errorParameters(await send({ action: "deny" }))["error"]).toBe("access_denied");
  });
});

describe("max_age when the code is made", () => {
  const reachConsent = async (asked: AuthorizationParameters): Promise<string> => {
    const state = loginState(await authorize(browser, partner, asked));
    await step(browser, state, { action: "continue", identifier: service.ada.email });
    expect(screenName(await step(browser, state, { action: "sign-in", password: service.ada.password }))).toBe("consent");
    return state;
  };

  test("whoever stayed at a page of the visit for longer proves themselves again", async () => {
    const state = await reachConsent({ max_age: "60", prompt: "login" });
    const send = await draw(state);
    service.clock.advance("61s");
    expect(await send({ action: "accept" })).toMatchObject({ kind: "page", status: 200 });
    expect(await getFlow(browser, state)).toMatchObject({ screen: { name: "password", identifier: service.ada.email } });
    await step(browser, state, { action: "sign-in", password: service.ada.password });
    const { code = "" } = successParameters(await submit(browser, state, { action: "accept" }));
    const { auth_time: provedAt } = claimsOf(tokens(await service.exchange(codeGrant(partner, code))).id);
    expect(provedAt).toBe(Math.floor(service.clock.now() / 1000));
  });

  test("whoever is in time is asked for nothing more", async () => {
    const state = await reachConsent({ max_age: "60", prompt: "login" });
    service.clock.advance("59s");
    successParameters(await submit(browser, state, { action: "accept" }));
  });

  test("max_age=0 is satisfied by a login on this visit, however long its other pages take", async () => {
    const state = await reachConsent({ max_age: "0" });
    service.clock.advance("5s");
    successParameters(await submit(browser, state, { action: "accept" }));
  });
});
