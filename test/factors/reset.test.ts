import { beforeEach, describe, expect, test } from "vitest";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  loginState,
  openService,
  redirectOf,
  screenName,
  signInAtLoginPage,
  submitStep,
  successParameters,
  type LoginService,
} from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm, type LinkPage } from "../support/links.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { auditEvents, jsonBody } from "../support/api.ts";
import { formAction, formFields } from "../support/browser.ts";
import { enrollApp, openFactorService, screenOf, setPolicies, totpAt, type FactorService } from "./support.ts";

const password = "a-new-password-1";

let service: FactorService;
let secret: string;
let recoveryCode: string;

beforeEach(async () => {
  service = await openFactorService();
  ({ secret, recoveryCode } = await enrollApp(service, service.browser()));
  await setPolicies(service, []);
  service.clock.advance("31s");
});

const codeNow = (): string => totpAt(secret, service.clock.now());

/** Whether a password is that of the user. */
async function isPassword(typed: string): Promise<boolean> {
  const browser = service.browser();
  const { ada, web } = service;
  return signInAtLoginPage(browser, await sendAuthorization(browser, web), { ...ada, password: typed }).then(
    () => true,
    () => false,
  );
}

describe("a password reset in the login of a user with a second factor", () => {
  /** Requests a reset and enters the code from the mail. */
  async function redeem(browser: Browser): Promise<{ readonly state: string; readonly screen: string }> {
    const state = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "forgot-password" });
    await submitStep(browser, state, { action: "send-reset", identifier: service.ada.email });
    const code = codeOf(service.outbox.take(service.ada.email));
    const reply = await submitStep(browser, state, { action: "enter-code", code });
    expect(screenOf(reply)["others"]).toEqual(["recovery-code"]);
    return { state, screen: screenName(reply) };
  }

  test("asks for the factor before the new password, and not by email", async () => {
    const browser = service.browser();
    const { state, screen } = await redeem(browser);
    expect(screen).toBe("factor");
    const tooEarly = await submitStep(browser, state, { action: "set-password", password });
    expect(screenName(tooEarly)).toBe("factor");
    expect(await isPassword(service.ada.password)).toBe(true);
    expect(screenName(await submitStep(browser, state, { action: "enter-factor-code", code: codeNow() }))).toBe("new-password");
    successParameters(redirectOf(await submitStep(browser, state, { action: "set-password", password })));
    expect(await isPassword(password)).toBe(true);
  });

  test("does not ask for the factor again if the policy requires one", async () => {
    await setPolicies(service, ["all-applications"]);
    const browser = service.browser();
    const { state } = await redeem(browser);
    await submitStep(browser, state, { action: "enter-factor-code", code: codeNow() });
    successParameters(redirectOf(await submitStep(browser, state, { action: "set-password", password })));
  });

  test("asks for the factor also after an administrator stated that the email address is not verified", async () => {
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
    expect((await service.manage("PATCH", path, { email_verified: false })).status).toBe(200);
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "forgot-password" });
    await submitStep(browser, state, { action: "send-reset", identifier: service.ada.email });
    const code = codeOf(service.outbox.take(service.ada.email));
    expect(screenName(await submitStep(browser, state, { action: "enter-code", code }))).toBe("factor");
    expect(screenName(await submitStep(browser, state, { action: "enter-factor-code", code: codeNow() }))).toBe("new-password");
    successParameters(redirectOf(await submitStep(browser, state, { action: "set-password", password })));
    expect(await service.manage("GET", `${path}/authentication-methods`)).toMatchObject({
      body: [{ type: "recovery-code" }, { type: "totp" }],
    });
  });

  test("another account leaves the reset", async () => {
    const browser = service.browser();
    const { state } = await redeem(browser);
    expect(screenName(await submitStep(browser, state, { action: "other-account" }))).toBe("identifier");
    expect(screenName(await submitStep(browser, state, { action: "set-password", password }))).not.toBe("factor");
    expect(await isPassword(service.ada.password)).toBe(true);
  });
});

describe("a password reset by a link of a user with a second factor", () => {
  let link: string;

  beforeEach(async () => {
    link = await createTicketLink(service, "password-change", { user_id: service.ada.userId, client_id: service.web.clientId });
  });

  test("asks for the factor, sets the password after it, and only in the browser that passed it", async () => {
    const browser = service.browser();
    const page = await openLink(browser, link);
    expect(page.actions).toEqual(["enter-factor-code", "other-account"]);
    expect(page.html).toMatch(/New password for .*a•••@example\.test/s);
    expect(page.html).not.toContain(service.ada.email);
    // The email address is not offered as another way.
    expect([...page.html.matchAll(/name="factor" value="([a-z-]+)"/g)].map(([, type]) => type)).toEqual(["recovery-code"]);
    expect((await submitLinkForm(browser, page, { action: "set-password", password })).actions).toContain("enter-factor-code");
    const wrong = await submitLinkForm(browser, page, { action: "enter-factor-code", code: "000000" });
    expect(wrong.html).toContain('id="problem"');
    const passed = await submitLinkForm(browser, page, { action: "enter-factor-code", code: codeNow() });
    expect(passed.actions).toEqual(["set-password"]);
    const stranger = service.browser();
    expect((await openLink(stranger, link)).actions).toContain("enter-factor-code");
    expect((await submitLinkForm(stranger, page, { action: "set-password", password })).actions).toContain("enter-factor-code");
    expect(await isPassword(service.ada.password)).toBe(true);
    service.clock.advance("1m");
    expect(await submitLinkForm(browser, passed, { password })).toMatchObject({ status: 200, title: "Your password was changed" });
    expect(await isPassword(password)).toBe(true);
  });

  test("accepts the right code from a form that is submitted twice, in sequence and in parallel, and counts no wrong attempt", async () => {
    const browser = service.browser();
    const page = await openLink(browser, link);
    const code = codeNow();
    const send = async (typed = code): Promise<readonly string[]> =>
      (await submitLinkForm(service.browser(browser.cookies), page, { action: "enter-factor-code", code: typed })).actions;
    expect(await Promise.all([send(), send(), send()])).toEqual([["set-password"], ["set-password"], ["set-password"]]);
    expect(await send()).toEqual(["set-password"]);
    expect(await auditEvents(service.manage, "gd_auth_failed")).toEqual([]);
    expect(await auditEvents(service.manage, "gd_auth_succeed")).toHaveLength(2);
    // The code in another rendering of the page is a second use.
    const again = await submitLinkForm(service.browser(), await openLink(service.browser(), link), { action: "enter-factor-code", code });
    expect(again.html).toContain('id="problem"');
    // A further submission does not extend the ten minutes.
    service.clock.advance("9m");
    expect(await send()).toEqual(["set-password"]);
    service.clock.advance("2m");
    expect(await send()).toContain("enter-factor-code");
  });

  test("the passed factor counts for ten minutes", async () => {
    const browser = service.browser();
    const passed = await submitLinkForm(browser, await openLink(browser, link), { action: "enter-factor-code", code: codeNow() });
    service.clock.advance("11m");
    expect((await submitLinkForm(browser, passed, { password })).actions).toContain("enter-factor-code");
    expect(await isPassword(service.ada.password)).toBe(true);
  });

  test("says until when the factor is locked, on a page whose form is inactive", async () => {
    const browser = service.browser();
    let page = await openLink(browser, link);
    for (let attempt = 0; attempt < 10; attempt++) {
      page = await submitLinkForm(browser, page, { action: "enter-factor-code", code: String(attempt).repeat(6) });
      page = await openLink(browser, link);
    }
    expect(page.html).toContain(new Date(service.clock.now() + 6 * 60_000).toISOString());
    expect(page.html).toMatch(/<input id="code"[^>]* disabled/);
  });

  test("accepts a recovery code and shows the next one", async () => {
    const browser = service.browser();
    const page = await openLink(browser, link);
    const chosen = await submitLinkForm(browser, page, { action: "choose-factor", factor: "recovery-code" });
    const response = await browser.post(formAction(chosen.html) ?? "", {
      form: { ...formFields(chosen.html), action: "enter-factor-code", code: recoveryCode },
    });
    const html = await response.text();
    expect(response.status).toBe(200);
    const [, next = ""] = /<code[^>]*>([^<]*)<\/code>/.exec(html) ?? [];
    expect(next.replaceAll(" ", "")).toMatch(/^[A-Z0-9]{24}$/);
    expect(html).not.toContain(recoveryCode);
    expect(html).toContain("The code you entered is used up and no longer works.");
    const form = await submitLinkForm(browser, { status: 200, title: "", html, actions: [] }, { action: "recovery-code-stored" });
    expect(form.actions).toEqual(["set-password"]);
    expect(await submitLinkForm(browser, form, { password })).toMatchObject({ title: "Your password was changed" });
  });

  test("counts wrong codes in the budget of the user", async () => {
    for (let i = 0; i < 10; i++) {
      const browser = service.browser();
      await submitLinkForm(browser, await openLink(browser, link), { action: "enter-factor-code", code: "000000" });
    }
    const browser = service.browser();
    const page = await submitLinkForm(browser, await openLink(browser, link), { action: "enter-factor-code", code: codeNow() });
    expect(page.actions).toContain("enter-factor-code");
    expect(page.html).toContain("Too many failed attempts");
  });

  test("counts a wrong code once, however often its form is submitted", async () => {
    const browser = service.browser();
    const page = await openLink(browser, link);
    const submit = (): Promise<LinkPage> => submitLinkForm(browser, page, { action: "enter-factor-code", code: "000000" });
    for (let clicks = 0; clicks < 3; clicks++) expect((await submit()).html).toContain('id="problem"');
    await Promise.all(Array.from({ length: 8 }, submit));
    expect(await auditEvents(service.manage, "gd_auth_failed")).toHaveLength(1);
    const passed = await submitLinkForm(browser, page, { action: "enter-factor-code", code: codeNow() });
    expect(passed.actions).toEqual(["set-password"]);
  });

  test("asks no factor of a user without one", async () => {
    const other = await createTicketLink(service, "password-change", { user_id: service.bob.userId });
    expect((await openLink(service.browser(), other)).actions).toEqual(["set-password"]);
  });
});

describe("a password reset of a user whose factors the server cannot use now", () => {
  let limited: LoginService;
  let outbox: Outbox;

  beforeEach(async () => {
    outbox = createOutbox();
    limited = await openService({ messages: { mail: outbox.mail } });
    jsonBody(await limited.manage("PUT", "/api/v2/guardian/factors/sms", { enabled: true }), 200);
    const methods = `/api/v2/users/${encodeURIComponent(limited.ada.userId)}/authentication-methods`;
    jsonBody(await limited.manage("POST", methods, { type: "phone", phone_number: "+46701234567" }), 201);
  });

  /** Returns the id of the user's password. */
  async function passwordId(): Promise<unknown> {
    const where = { tenant_id: "main", user_id: limited.ada.userId };
    return (await limited.data.collections.users.find({ where, limit: 1 }))[0]?.password_id;
  }

  test("is refused by a link with the reason, as the login is", async () => {
    const link = await createTicketLink(limited, "password-change", { user_id: limited.ada.userId });
    const browser = limited.browser();
    const page = await openLink(browser, link);
    expect(page).toMatchObject({ status: 400, title: "Two-step verification isn’t available", actions: [] });
    const before = await passwordId();
    const ticket = new URL(link).searchParams.get("ticket") ?? "";
    expect((await browser.post("/u/reset-password", { form: { ticket, password, action: "set-password" } })).status).toBe(400);
    expect(await passwordId()).toBe(before);
  });

  test("is refused in the login", async () => {
    const browser = limited.browser();
    const state = loginState(await sendAuthorization(browser, limited.web));
    await submitStep(browser, state, { action: "continue", identifier: limited.ada.email });
    await submitStep(browser, state, { action: "forgot-password" });
    await submitStep(browser, state, { action: "send-reset", identifier: limited.ada.email });
    const code = codeOf(outbox.take(limited.ada.email));
    const reply = redirectOf(await submitStep(browser, state, { action: "enter-code", code }));
    expect(reply).toMatchObject({
      parameters: { error: "access_denied", error_description: "none of the user's factors can be used now" },
    });
  });

  test("asks no factor if the tenant disabled it", async () => {
    jsonBody(await limited.manage("PUT", "/api/v2/guardian/factors/sms", { enabled: false }), 200);
    const link = await createTicketLink(limited, "password-change", { user_id: limited.ada.userId });
    expect((await openLink(limited.browser(), link)).actions).toEqual(["set-password"]);
  });
});

test("a trusted browser does not replace the factor of a reset", async () => {
  await setPolicies(service, ["all-applications"]);
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: codeNow(), remember: "true" })));
  const link = await createTicketLink(service, "password-change", { user_id: service.ada.userId });
  expect((await openLink(browser, link)).actions).toContain("enter-factor-code");
});
