import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  errorParameters,
  getFlow,
  loginState,
  openStep,
  redirectOf,
  screenName,
  sendStep,
  submitStep,
  successParameters,
} from "../support/flow.ts";
import { codeOf } from "../support/outbox.ts";
import {
  enrollApp,
  exchangeLoginCode,
  openFactorService,
  screenOf,
  setPolicies,
  signInToFactor,
  totpAt,
  totpOf,
  type FactorService,
} from "./support.ts";

let service: FactorService;

beforeEach(async () => {
  service = await openFactorService();
});

const acr = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

/** Advances the clock to the next TOTP time step. */
const nextStep = (): void => service.clock.advance("31s");

describe("a required second factor", () => {
  test("starts no session and issues no code before the factor is passed", async () => {
    const browser = service.browser();
    const { state, reply } = await signInToFactor(service, browser);
    expect(screenName(reply)).toBe("add-factor");
    expect(screenOf(reply)["options"]).toEqual(["totp", "phone"]);
    expect([...browser.cookies.keys()].filter((name) => name.includes("session"))).toEqual([]);
    expect(await service.data.collections.sessions.count({ tenant_id: "main" })).toBe(0);
    const silent = errorParameters(await sendAuthorization(browser, service.web, { prompt: "none" }));
    expect(silent).toMatchObject({ error: "login_required" });
    expect(screenName(await getFlow(browser, state))).toBe("add-factor");
  });

  test("is added during the login, and the tokens state it", async () => {
    const { code } = await enrollApp(service, service.browser());
    const tokens = await exchangeLoginCode(service, code);
    expect(decodeJwt(stringMember(tokens, "id_token"))).toMatchObject({ acr, amr: ["pwd", "otp", "mfa"] });
    const mail = service.outbox.take(service.ada.email);
    expect(mail).toMatchObject({ subject: "A sign-in method was added to your account" });
  });

  test("is added with texts without the word phone if the user has no phone", async () => {
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" });
    const secret = stringMember(totpOf(screenOf(await getFlow(browser, state))), "secret");
    await submitStep(browser, state, { action: "confirm-new-factor", code: totpAt(secret, service.clock.now()) });
    expect(screenOf(await getFlow(browser, state))).not.toHaveProperty("isReplacement");
    const page = await (await openStep(browser, state)).text();
    expect(page).toContain("If you lose your other ways to sign in");
    expect(page.replace(/<script.*?<\/script>|<style.*?<\/style>/gs, "")).not.toMatch(/phone/i);
  });

  test("accepts each authenticator code once", async () => {
    const { secret } = await enrollApp(service, service.browser());
    const browser = service.browser();
    const { state, reply } = await signInToFactor(service, browser);
    expect(screenOf(reply)).toMatchObject({ name: "factor", factor: "totp", others: ["email", "recovery-code"], remember: false });
    const used = totpAt(secret, service.clock.now());
    const rejected = await sendStep(browser, state, { action: "enter-factor-code", code: used });
    expect(await rejected.json()).toMatchObject({ error: "invalid_grant" });
    nextStep();
    const code = totpAt(secret, service.clock.now());
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  });

  test("continues with a silent login while the session lasts", async () => {
    const browser = service.browser();
    await enrollApp(service, browser);
    const { code = "" } = successParameters(await sendAuthorization(browser, service.web, { prompt: "none" }));
    const tokens = await exchangeLoginCode(service, code);
    expect(decodeJwt(stringMember(tokens, "id_token"))).toMatchObject({ acr, amr: ["pwd", "otp", "mfa"] });
  });

  test("accepts a code that was sent to the verified email address, but only next to another factor", async () => {
    await enrollApp(service, service.browser());
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    const chosen = screenOf(await submitStep(browser, state, { action: "choose-factor", factor: "email" }));
    expect(chosen).toMatchObject({ factor: "email", sentTo: "a•••@example.test", sent: true });
    expect(chosen).not.toHaveProperty("remember");
    const sent = service.outbox.take(service.ada.email);
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: codeOf(sent) })));
  });

  test("sends no code when its page is viewed", async () => {
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-new-factor", factor: "phone" });
    const added = screenOf(await submitStep(browser, state, { action: "enter-phone", phone: "+49 170 1234567" }));
    expect(added).toMatchObject({ factor: "phone", sentTo: "+491701234567", sent: true });
    await submitStep(browser, state, { action: "confirm-new-factor", code: codeOf(service.outbox.take("+491701234567")) });

    const other = service.browser();
    const { state: second, reply } = await signInToFactor(service, other);
    expect(screenOf(reply)).toMatchObject({ factor: "phone", sentTo: "•••67" });
    expect(screenOf(reply)).not.toHaveProperty("sent");
    await getFlow(other, second);
    expect(service.outbox.sent.filter(({ to }) => to === "+491701234567")).toEqual([]);
    await submitStep(other, second, { action: "send-factor-code" });
    const code = codeOf(service.outbox.take("+491701234567"));
    successParameters(redirectOf(await submitStep(other, second, { action: "enter-factor-code", code })));
  });

  test("shows a rejected phone number again, until a number is accepted or another user signs in", async () => {
    const { ada, bob } = service;
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-new-factor", factor: "phone" });
    const reject = async () => (await sendStep(browser, state, { action: "enter-phone", phone: "0170 1234567" })).json();
    expect(await reject()).toMatchObject({ error: "invalid_request" });
    const shown = { factor: "phone", rejectedPhone: "0170 1234567", problem: "phone-invalid" };
    expect(screenOf(await getFlow(browser, state))).toMatchObject(shown);
    for (const { email, password } of [bob, ada]) {
      await submitStep(browser, state, { action: "other-account" });
      await submitStep(browser, state, { action: "continue", identifier: email });
      const screen = screenOf(await submitStep(browser, state, { action: "sign-in", password }));
      expect(screen).toMatchObject({ factor: "phone" });
      expect(screen).not.toHaveProperty("rejectedPhone");
      await reject();
    }
    await submitStep(browser, state, { action: "enter-phone", phone: "+491701234567" });
    await submitStep(browser, state, { action: "other-new-factor" });
    const empty = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "phone" }));
    expect(empty).not.toHaveProperty("rejectedPhone");
  });

  test("does not show a code as sent if another user requested it earlier in the login session", async () => {
    const { ada, bob } = service;
    for (const [{ userId }, phone_number] of [
      [ada, "+491701234567"],
      [bob, "+491701234568"],
    ] as const)
      await service.manage.create(`/api/v2/users/${encodeURIComponent(userId)}/authentication-methods`, {
        type: "phone",
        name: "Phone",
        phone_number,
      });
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-factor", factor: "email" });
    await submitStep(browser, state, { action: "other-account" });
    await submitStep(browser, state, { action: "continue", identifier: bob.email });
    const screen = screenOf(await submitStep(browser, state, { action: "sign-in", password: bob.password }));
    expect(screen).toMatchObject({ name: "factor", factor: "email", sentTo: "b•••@example.test" });
    expect(screen).not.toHaveProperty("sent");
    const sent = screenOf(await submitStep(browser, state, { action: "send-factor-code" }));
    expect(sent).toMatchObject({ sent: true });
    const code = codeOf(service.outbox.take(bob.email));
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  });

  test("replaces a used recovery code and shows the new one once", async () => {
    const { recoveryCode } = await enrollApp(service, service.browser());
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-factor", factor: "recovery-code" });
    const shown = screenOf(await submitStep(browser, state, { action: "enter-factor-code", code: recoveryCode.toLowerCase() }));
    const accountSecurity = "https://id.example.test/u/account/security?tenant=main";
    expect(shown).toMatchObject({ name: "recovery-code", isReplacement: true, accountSecurity });
    const page = await (await openStep(browser, state)).text();
    expect(page).toContain("The code you entered is used up and no longer works.");
    expect(page).toContain(`href="${accountSecurity}"`);
    const next = stringMember(shown, "code");
    expect(next).not.toBe(recoveryCode);
    successParameters(redirectOf(await submitStep(browser, state, { action: "recovery-code-stored" })));

    const other = service.browser();
    const { state: second } = await signInToFactor(service, other);
    await submitStep(other, second, { action: "choose-factor", factor: "recovery-code" });
    const rejected = await sendStep(other, second, { action: "enter-factor-code", code: recoveryCode });
    expect(await rejected.json()).toMatchObject({ error: "invalid_grant" });
  });

  test("skips the factor in a browser that the user trusts, and requires it in another browser and for another user", async () => {
    const { secret } = await enrollApp(service, service.browser());
    nextStep();
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    const code = totpAt(secret, service.clock.now());
    await submitStep(browser, state, { action: "enter-factor-code", code, remember: "true" });
    const again = await signInToFactor(service, browser, { prompt: "login" });
    successParameters(redirectOf(again.reply));
    const elsewhere = await signInToFactor(service, service.browser());
    expect(screenName(elsewhere.reply)).toBe("factor");

    const bob = loginState(await sendAuthorization(browser, service.web, { prompt: "login" }));
    await submitStep(browser, bob, { action: "continue", identifier: service.bob.email });
    expect(screenName(await submitStep(browser, bob, { action: "sign-in", password: service.bob.password }))).toBe("add-factor");
  });

  test("is refused if the password changes after it was entered", async () => {
    const { secret } = await enrollApp(service, service.browser());
    nextStep();
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, { password: "another long password" });
    const reply = await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
    expect(screenName(reply)).toBe("password");
  });

  test("is refused if the user is blocked after the password was entered", async () => {
    const { secret } = await enrollApp(service, service.browser());
    nextStep();
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, { blocked: true });
    const reply = await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
    expect(["identifier", "password"]).toContain(screenName(reply));
  });

  test("locks the factor after ten wrong codes, mails the user, and leaves the recovery code usable", async () => {
    const { secret, recoveryCode } = await enrollApp(service, service.browser());
    nextStep();
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    for (let attempt = 0; attempt < 10; attempt++) await sendStep(browser, state, { action: "enter-factor-code", code: "000000" });
    const locked = await sendStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
    expect(await locked.json()).toMatchObject({ error: "TOO_MANY_REQUESTS" });
    const lockedUntil = new Date(service.clock.now() + 6 * 60_000).toISOString();
    expect(screenOf(await getFlow(browser, state))).toMatchObject({ factor: "totp", lockedUntil });
    const page = await (await openStep(browser, state)).text();
    expect(page).toContain(`<time datetime="${lockedUntil}">${lockedUntil.slice(11, 16)} UTC</time>`);
    expect(page).toMatch(/<input id="code"[^>]* disabled/);
    expect(page).toMatch(/<button type="submit" name="action" value="enter-factor-code"[^>]* disabled/);
    expect(service.outbox.sent.map((sent) => "subject" in sent && sent.subject)).toContain("Too many wrong codes for your account");
    const other = service.browser();
    const second = await signInToFactor(service, other);
    await submitStep(other, second.state, { action: "choose-factor", factor: "recovery-code" });
    expect(screenOf(await getFlow(other, second.state))).not.toHaveProperty("lockedUntil");
    expect(screenName(await submitStep(other, second.state, { action: "enter-factor-code", code: recoveryCode }))).toBe("recovery-code");
    service.clock.advance("6m");
    expect(screenOf(await getFlow(browser, state))).not.toHaveProperty("lockedUntil");
  });
});

describe("step-up", () => {
  test("asks a user with a session for a factor if the policy begins later", async () => {
    await setPolicies(service, []);
    const browser = service.browser();
    const { reply } = await signInToFactor(service, browser);
    successParameters(redirectOf(reply));
    await setPolicies(service, ["all-applications"]);
    const silent = errorParameters(await sendAuthorization(browser, service.web, { prompt: "none" }));
    expect(silent).toMatchObject({ error: "login_required", error_description: "Multifactor authentication required" });
    const state = loginState(await sendAuthorization(browser, service.web));
    expect(screenName(await getFlow(browser, state))).toBe("add-factor");
  });
});
