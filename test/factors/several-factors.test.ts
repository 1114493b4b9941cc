import { beforeEach, describe, expect, test } from "vitest";
import { openSecurity, submitSecurity } from "../account/support.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  getFlow,
  loginState,
  redirectOf,
  screenName,
  sendAuthorization,
  sendStep,
  signInAtLoginPage,
  submitStep,
  successParameters,
} from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm, type LinkPage } from "../support/links.ts";
import { codeOf } from "../support/outbox.ts";
import { openFactorService, screenOf, setPolicies, signInToFactor, totpAt, type FactorService } from "./support.ts";

/** A user who has several factors of one type can choose each of them. */

const lost = "+491701234567";
const kept = "+491709876578";

let service: FactorService;
let browser: Browser;
/** The id of the second phone. */
let id: string;

beforeEach(async () => {
  service = await openFactorService();
  browser = service.browser();
  await addMethod({ type: "phone", name: "Lost", phone_number: lost });
  service.clock.advance("1s");
  id = await addMethod({ type: "phone", name: "Kept", phone_number: kept });
});

async function addMethod(body: object): Promise<string> {
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`;
  return stringMember(await service.manage.create(path, body), "id");
}

const sentTo = (number: string) => service.outbox.sent.filter(({ to }) => to === number).length;

/** Returns the values of the buttons that choose a destination, and their masked numbers. */
function choices({ html }: Pick<LinkPage, "html">): readonly (readonly [value: string, sentTo: string])[] {
  return [...html.matchAll(/name="destination" value="([^"]*)".*?row-detail">([^<]*)</gs)].map(([, value = "", to = ""]) => [value, to]);
}

describe("in a login, a user with two phones", () => {
  test("chooses the second one, and confirms with its code", async () => {
    const { state, reply } = await signInToFactor(service, browser);
    expect(screenOf(reply)).toMatchObject({
      factor: "phone",
      sentTo: "•••67",
      destinations: [{ id, factor: "phone", sentTo: "•••78" }],
    });
    const chosen = screenOf(await submitStep(browser, state, { action: "choose-factor", destination: id }));
    expect(chosen).toMatchObject({ factor: "phone", sentTo: "•••78", sent: true, destinations: [{ sentTo: "•••67" }] });
    expect([sentTo(lost), sentTo(kept)]).toEqual([0, 1]);
    await submitStep(browser, state, { action: "send-factor-code" });
    expect([sentTo(lost), sentTo(kept)]).toEqual([0, 2]);
    const code = codeOf(service.outbox.take(kept));
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  });

  test("sees both on the page, and returns to the first", async () => {
    const { state } = await signInToFactor(service, browser);
    const page = await openLink(browser, `/u/login?state=${encodeURIComponent(state)}`);
    expect(choices(page)).toEqual([[id, "•••78"]]);
    await submitLinkForm(browser, page, { action: "choose-factor", destination: id });
    const [first] = choices(await openLink(browser, `/u/login?state=${encodeURIComponent(state)}`));
    expect(screenOf(await submitStep(browser, state, { action: "choose-factor", destination: first?.[0] ?? "" }))).toMatchObject({
      sentTo: "•••67",
      sent: true,
    });
  });

  test("chooses between all of them on the page of another factor", async () => {
    await addMethod({ type: "totp", totp_secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" });
    const { reply } = await signInToFactor(service, browser);
    expect(screenOf(reply)).toMatchObject({ factor: "totp", destinations: [{ sentTo: "•••67" }, { sentTo: "•••78" }] });
  });

  test("does not confirm with the code of the other phone, or of another user's phone", async () => {
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-factor", factor: "phone" });
    const code = codeOf(service.outbox.take(lost));
    await submitStep(browser, state, { action: "choose-factor", destination: id });
    const wrong = await sendStep(browser, state, { action: "enter-factor-code", code });
    expect(await wrong.json()).toMatchObject({ error: "invalid_grant" });
    await submitStep(browser, state, { action: "choose-factor", destination: "phone|dev_unknown" });
    expect(screenOf(await getFlow(browser, state))).toMatchObject({ sentTo: "•••78" });
  });

  test("chooses an enrolled email address beside that of the account", async () => {
    const email = await addMethod({ type: "email", name: "Second", email: "second@example.test" });
    const { state } = await signInToFactor(service, browser);
    const chosen = screenOf(await submitStep(browser, state, { action: "choose-factor", destination: email }));
    expect(chosen).toMatchObject({ factor: "email", sentTo: "s•••@example.test", sent: true });
    const code = codeOf(service.outbox.take("second@example.test"));
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  });

  test("chooses the second one before a new password", async () => {
    const state = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "forgot-password" });
    await submitStep(browser, state, { action: "send-reset", identifier: service.ada.email });
    await submitStep(browser, state, { action: "enter-code", code: codeOf(service.outbox.take(service.ada.email)) });
    await submitStep(browser, state, { action: "choose-factor", destination: id });
    const reply = await submitStep(browser, state, { action: "enter-factor-code", code: codeOf(service.outbox.take(kept)) });
    expect(screenName(reply)).toBe("new-password");
  });
});

describe("outside the login, a user with two phones", () => {
  /** Chooses the second phone, requests another code, and enters it. */
  async function pass(
    page: LinkPage,
    submit: (page: LinkPage, fields: { readonly [name: string]: string }) => Promise<LinkPage>,
  ): Promise<LinkPage> {
    expect(choices(page)).toEqual([[id, "•••78"]]);
    const chosen = await submit(page, { action: "choose-factor", destination: id });
    expect(chosen.html).toContain("•••78");
    const again = await submit(chosen, { action: "send-factor-code" });
    expect([sentTo(lost), sentTo(kept)]).toEqual([0, 2]);
    const wrong = await submit(again, { action: "enter-factor-code", code: "x" });
    return submit(wrong, { action: "enter-factor-code", code: codeOf(service.outbox.take(kept)) });
  }

  test("chooses the second one at a link for a new password", async () => {
    const link = await createTicketLink(service, "password-change", { user_id: service.ada.userId });
    const page = await pass(await openLink(browser, link), (at, fields) => submitLinkForm(browser, at, fields));
    expect(page.actions).toEqual(["set-password"]);
  });

  test("chooses the second one on the page of the account", async () => {
    await setPolicies(service, []);
    await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada);
    const page = await pass(await openSecurity(browser, { view: "add" }), (at, fields) => submitSecurity(browser, at, fields));
    expect(page.html).toContain('value="totp"');
  });

  test("adds a third one with a ticket that allows several", async () => {
    const body = { user_id: service.ada.userId, factor: "phone", allow_multiple_enrollments: true };
    const created = await service.manage("POST", "/api/v2/guardian/enrollments/ticket", body);
    const link = stringMember(jsonBody(created, 200), "ticket_url");
    const page = await pass(await openLink(browser, link), (at, fields) => submitLinkForm(browser, at, fields));
    const chosen = await submitLinkForm(browser, page, { action: "choose-new-factor", factor: "phone" });
    const sent = await submitLinkForm(browser, chosen, { action: "enter-phone", phone: "+46701234567" });
    await submitLinkForm(browser, sent, { action: "confirm-new-factor", code: codeOf(service.outbox.take("+46701234567")) });
    const methods = await service.manage("GET", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`);
    expect(JSON.stringify(methods.body)).toContain("+46701234567");
  });
});

test("a user with two authenticator apps confirms with each of them", async () => {
  const secrets = ["JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "KRSXG5CTMVRXEZLUKN2XAZLSKNSWG4TF"];
  for (const totp_secret of secrets) await addMethod({ type: "totp", totp_secret });
  for (const secret of secrets) {
    const { state } = await signInToFactor(service, (browser = service.browser()));
    const code = totpAt(secret, service.clock.now());
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  }
});
