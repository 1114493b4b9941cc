import type { Action, PostChallengeApi, PostChallengeEvent } from "@postern/core";
import { beforeEach, describe, expect, test } from "vitest";
import {
  errorParameters,
  loginState,
  redirectOf,
  screenName,
  sendAuthorization,
  sendStep,
  submitStep,
  successParameters,
} from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm } from "../support/links.ts";
import { codeOf } from "../support/outbox.ts";
import type { Browser } from "../support/browser.ts";
import { openFactorService, screenOf, setPolicies, totpAt, type FactorService } from "./support.ts";

const password = "a-new-password-1";
const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const phone = "+491701234567";

let service: FactorService;
let run: NonNullable<Action["onExecutePostChallenge"]>;
let events: PostChallengeEvent[];

beforeEach(async () => {
  run = () => {};
  events = [];
  const action: Action = {
    name: "guard",
    onExecutePostChallenge: (event, api) => {
      events.push(event);
      return run(event, api);
    },
  };
  service = await openFactorService({ actions: [action] });
  await setPolicies(service, []);
});

/** Adds factors to the user's account. */
async function addFactors(...bodies: readonly object[]): Promise<void> {
  for (const body of bodies) {
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`;
    expect((await service.manage("POST", path, body)).status).toBe(201);
  }
}

const app = { type: "totp", name: "App", totp_secret: secret };
const mobile = { type: "phone", name: "Mobile", phone_number: phone, preferred_authentication_method: "sms" };
const codeNow = (): string => totpAt(secret, service.clock.now());
const requirePhone = (_: PostChallengeEvent, api: PostChallengeApi): void => api.authentication.challengeWith({ type: "phone" });
const deny = (_: PostChallengeEvent, api: PostChallengeApi): void => api.access.deny("Ask the help desk.");

describe("a reset in the login", () => {
  async function redeem(browser: Browser) {
    const state = loginState(await sendAuthorization(browser, service.web));
    await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
    await submitStep(browser, state, { action: "forgot-password" });
    await submitStep(browser, state, { action: "send-reset", identifier: service.ada.email });
    expect(events).toEqual([]);
    const code = codeOf(service.outbox.take(service.ada.email));
    return { state, reply: await submitStep(browser, state, { action: "enter-code", code }) };
  }

  test("asks for the factor that the action requires, and shows the action what the user passed", async () => {
    run = requirePhone;
    await addFactors(app, mobile);
    const browser = service.browser();
    const { state, reply } = await redeem(browser);
    expect(screenOf(reply)).toMatchObject({ name: "factor", factor: "phone", others: [] });
    expect(events[0]).toMatchObject({
      client: { client_id: service.web.clientId },
      connection: { strategy: "auth0" },
      user: { user_id: service.ada.userId, enrolledFactors: expect.arrayContaining([{ type: "otp" }, { type: "phone" }]) },
      authentication: { methods: [{ name: "email", timestamp: expect.any(String) }] },
    });
    // The authenticator app is not sufficient.
    await submitStep(browser, state, { action: "choose-factor", factor: "totp" });
    expect((await sendStep(browser, state, { action: "enter-factor-code", code: codeNow() })).status).toBe(400);
    await submitStep(browser, state, { action: "send-factor-code" });
    const code = codeOf(service.outbox.take(phone));
    expect(screenName(await submitStep(browser, state, { action: "enter-factor-code", code }))).toBe("new-password");
    expect(events.at(-1)?.authentication.methods.at(-1)).toMatchObject({ name: "mfa", type: "phone" });
    successParameters(redirectOf(await submitStep(browser, state, { action: "set-password", password })));
  });

  test("fails with the reason if the action denies it", async () => {
    run = deny;
    const { reply } = await redeem(service.browser());
    expect(errorParameters(redirectOf(reply))).toMatchObject({ error: "access_denied", error_description: "Ask the help desk." });
  });

  test("fails if the user cannot use a factor that the action requires, and if the action fails", async () => {
    run = requirePhone;
    await addFactors(app);
    expect(errorParameters(redirectOf((await redeem(service.browser())).reply))["error"]).toBe("access_denied");
    const logged = await service.postern.tenant("main").logs.list({ q: "type:w OR type:mfar" });
    expect(logged.map(({ type }) => type).toSorted()).toEqual(["mfar", "w"]);
    events = [];
    run = () => {
      throw new Error("down");
    };
    await expect(redeem(service.browser())).rejects.toMatchObject({ actual: { status: 503 } });
  });

  test("asks a user without factors for nothing if the action requires nothing", async () => {
    const { reply } = await redeem(service.browser());
    expect(screenName(reply)).toBe("new-password");
  });
});

describe("a reset by a link", () => {
  const openReset = (browser: Browser) =>
    createTicketLink(service, "password-change", { user_id: service.ada.userId, client_id: service.web.clientId }).then(async (link) => ({
      link,
      page: await openLink(browser, link),
    }));

  test("asks for each factor that the action requires, before the new password", async () => {
    run = (_, api) => {
      api.authentication.challengeWith({ type: "phone" });
      api.authentication.challengeWithAny([{ type: "otp" }]);
    };
    await addFactors(app, mobile);
    const browser = service.browser();
    const { link, page } = await openReset(browser);
    expect(page.actions).toContain("send-factor-code");
    expect((await submitLinkForm(browser, page, { action: "set-password", password })).actions).not.toContain("set-password");
    const sent = await submitLinkForm(browser, page, { action: "send-factor-code" });
    const code = codeOf(service.outbox.take(phone));
    const second = await submitLinkForm(browser, sent, { action: "enter-factor-code", code });
    expect(second.actions).toEqual(["enter-factor-code", "other-account"]);
    expect((await openLink(service.browser(), link)).actions).toContain("send-factor-code");
    const passed = await submitLinkForm(browser, second, { action: "enter-factor-code", code: codeNow() });
    expect(passed.actions).toEqual(["set-password"]);
    expect(events.at(-1)?.authentication.methods.map(({ type }) => type)).toEqual([undefined, "phone", "otp"]);
    expect(await submitLinkForm(browser, passed, { password })).toMatchObject({ title: "Your password was changed" });
  });

  test("shows the reason if the action denies it, and keeps the link", async () => {
    run = deny;
    const browser = service.browser();
    const { link, page } = await openReset(browser);
    expect([page.status, page.html.includes("Ask the help desk.")]).toEqual([400, true]);
    run = () => {};
    expect((await openLink(browser, link)).actions).toEqual(["set-password"]);
  });
});
