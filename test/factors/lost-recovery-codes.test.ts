import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { openSecurity, shownCode, submitSecurity } from "../account/support.ts";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { formAction, formFields } from "../support/browser.ts";
import { claimsOf, getFlow, openStep, sendForm, submitStep } from "../support/flow.ts";
import { createTicketLink, openLink, submitLinkForm } from "../support/links.ts";
import { sampled } from "../support/nightly.ts";
import type { ApiResponse } from "../support/postern.ts";
import { openMfaService, otpGrant, recoveryGrant, type MfaService } from "./mfa-api-support.ts";
import { screenOf, setPolicies, signInToFactor, totpAt } from "./support.ts";

/**
 * The response to a request with a recovery code is lost. The code was used, and only the response contains the next one.
 * For ten minutes, the same request gets the same response.
 */

let service: MfaService;
let secret: string;
let recoveryCode: string;
/** The names of the writes, and the number of writes until a simulated crash. */
const writes: string[] = [];
let crashAt: number | undefined;

beforeEach(async () => {
  crashAt = undefined;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    const done = await run();
    // Several requests share one insert of their log events, and no other state depends on these events.
    if (name === "logs.insert") return done;
    writes.push(name);
    if (crashAt !== undefined && --crashAt === 0) {
      crashAt = undefined;
      throw new Error("lost");
    }
    return done;
  });
  service = await openMfaService({ data, logger: { log() {} } });
  ({ secret, recoveryCode } = await service.enrollApp());
});

const ownedByAda = () => ({ tenant_id: "main", user_id: service.ada.userId });
const sessions = () => service.data.collections.sessions.count(ownedByAda());

/** Requires that a recovery code is the valid one of the user. */
async function expectValid(code: string): Promise<void> {
  const [stored] = await service.data.collections.factors.find({ where: { ...ownedByAda(), type: "recovery-code" }, limit: 1 });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  expect(stored?.code_hash).toBe(Buffer.from(digest).toString("base64url"));
}

const offline = { scope: "openid offline_access" };

describe("the grant for recovery codes", () => {
  let mfaToken: string;
  beforeEach(async () => {
    mfaToken = stringMember(await service.begin(service.ada, offline), "mfa_token");
  });

  const use = (more: { readonly [name: string]: string } = {}): Promise<ApiResponse> =>
    service.grant(recoveryGrant, { mfa_token: mfaToken, recovery_code: recoveryCode, ...more });

  const sidOf = (reply: JsonBody): unknown => claimsOf(stringMember(reply, "id_token")).sid;

  async function expectExpired(reply: Promise<ApiResponse>): Promise<void> {
    expect(jsonBody(await reply, 401)).toMatchObject({ error: "expired_token", error_description: "mfa_token is expired" });
  }

  test.each([["at once"], ["9m"]])("repeats its response to the same request: %s", async (later) => {
    const before = await sessions();
    const first = jsonBody(await use(), 200);
    if (later !== "at once") service.clock.advance("9m");
    const second = jsonBody(await use(), 200);
    expect(second["recovery_code"]).toBe(first["recovery_code"]);
    expect(second["refresh_token"]).toBe(first["refresh_token"]);
    expect(sidOf(second)).toBe(sidOf(first));
    expect(claimsOf(stringMember(second, "id_token"))).toMatchObject({ amr: ["pwd", "mfa"] });
    expect(await sessions()).toBe(before + 1);
    await expectValid(stringMember(second, "recovery_code"));
    for (const reply of [first, second])
      expect((await service.call("GET", "/userinfo", { token: stringMember(reply, "access_token") })).status).toBe(200);
    const refreshed = await service.grant("refresh_token", { refresh_token: stringMember(second, "refresh_token") });
    expect(refreshed.status).toBe(200);
    expect(await service.data.collections.refresh_tokens.count({ ...ownedByAda(), rotated_at: null })).toBe(1);
  });

  test("gives thirty-two parallel requests the same recovery code, session and refresh token", async () => {
    const before = await sessions();
    const replies = await Promise.all(Array.from({ length: 32 }, async () => use()));
    const accepted = replies.filter(({ status }) => status === 200).map((reply) => jsonBody(reply, 200));
    expect(accepted.length).toBeGreaterThan(0);
    for (const { status } of replies) expect([200, 429, 503]).toContain(status);
    for (const name of ["recovery_code", "refresh_token"]) expect(new Set(accepted.map((reply) => reply[name])).size, name).toBe(1);
    expect(new Set(accepted.map(sidOf)).size).toBe(1);
    expect(await sessions()).toBe(before + 1);
    await expectValid(stringMember(accepted[0] ?? {}, "recovery_code"));
  });

  test("ignores spaces and letter case in a repeated request, and narrows the scope as the request says", async () => {
    const first = jsonBody(await use(), 200);
    const typed = ` ${(recoveryCode.toLowerCase().match(/.{4}/g) ?? []).join("-")} `;
    const second = jsonBody(await use({ recovery_code: typed }), 200);
    expect(second["refresh_token"]).toBe(first["refresh_token"]);
    const narrower = jsonBody(await use({ scope: "openid" }), 200);
    expect(narrower).toMatchObject({ scope: "openid", recovery_code: first["recovery_code"] });
    expect(narrower).not.toHaveProperty("refresh_token");
  });

  test("does not repeat its response after ten minutes", async () => {
    jsonBody(await use(), 200);
    service.clock.advance("10m");
    await expectExpired(use());
  });

  test("does not repeat its response to another client, with another recovery code, or with another factor", async () => {
    const { recovery_code: next } = jsonBody(await use(), 200);
    const other = await service.register({ secret: true, grant_types: ["password", recoveryGrant] });
    expect((await service.grant(recoveryGrant, { mfa_token: mfaToken, recovery_code: recoveryCode }, other)).body).toMatchObject({
      error: "invalid_request",
      error_description: "mfa_token not issued to this client",
    });
    await expectExpired(use({ recovery_code: "A".repeat(24) }));
    await expectExpired(use({ recovery_code: String(next) }));
    await expectExpired(service.grant(otpGrant, { mfa_token: mfaToken, otp: service.codeNow(secret) }));
    await expectValid(String(next));
  });

  test("does not repeat its response after the next recovery code was used", async () => {
    const { recovery_code: next } = jsonBody(await use(), 200);
    const mfa_token = stringMember(await service.begin(), "mfa_token");
    jsonBody(await service.grant(recoveryGrant, { mfa_token, recovery_code: String(next) }), 200);
    await expectExpired(use());
  });

  test.each<readonly [string, (sid: string) => Promise<unknown>]>([
    ["its session was revoked", (sid) => service.postern.tenant("main").sessions.delete(sid)],
    ["the user was blocked", () => service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, { blocked: true })],
    [
      "the password was changed",
      () =>
        service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, {
          password: "another-password-1",
          connection: "Username-Password-Authentication",
        }),
    ],
  ])("does not repeat its response after %s", async (_, change) => {
    await change(String(sidOf(jsonBody(await use(), 200))));
    await expectExpired(use());
  });

  test("another factor of the mfa_token is not repeated", async () => {
    const reply = () => service.grant(otpGrant, { mfa_token: mfaToken, otp: service.codeNow(secret) });
    jsonBody(await reply(), 200);
    await expectExpired(reply());
    await expectExpired(use());
    await expectValid(recoveryCode);
  });

  test("after a crash at any write, the same request gets the next recovery code, and one session has tokens", async () => {
    writes.length = 0;
    jsonBody(await use(), 200);
    const names = [...writes];
    expect(names).toEqual(expect.arrayContaining(["factors.update", "sessions.insert", "tickets.update", "refresh_tokens.insert"]));
    const moments = names.map((name, i) => ({ name, write: i + 1 }));
    for (const { name, write } of sampled("lost recovery codes of the MFA API", moments)) {
      const after = `after write ${write}, ${name}`;
      service.clock.advance("1h");
      ({ recoveryCode } = await replaceRecoveryCode());
      mfaToken = stringMember(await service.begin(service.ada, offline), "mfa_token");
      crashAt = write;
      expect((await use()).status, after).toBe(500);
      const reply = await use();
      expect([reply.status, reply.body], after).toEqual([200, expect.anything()]);
      await expectValid(stringMember(jsonBody(reply), "recovery_code"));
      const { refresh_token, id_token } = jsonBody(reply);
      const tokens = await service.data.collections.refresh_tokens.find({ where: { ...ownedByAda() }, limit: 100 });
      const sid = claimsOf(String(id_token)).sid;
      expect(
        tokens.filter(({ session_id: id }) => id === sid),
        after,
      ).toHaveLength(1);
      expect((await service.grant("refresh_token", { refresh_token: String(refresh_token) })).status, after).toBe(200);
    }
  });
});

/** Creates another recovery code for the user. */
async function replaceRecoveryCode(): Promise<{ readonly recoveryCode: string }> {
  const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/recovery-code-regeneration`;
  return { recoveryCode: stringMember(jsonBody(await service.manage("POST", path), 200), "recovery_code") };
}

describe("the login page", () => {
  const copyOf = (browser: Browser): Browser => service.browser(browser.cookies);

  /** Opens the page that asks for the recovery code. */
  async function openPage(browser: Browser): Promise<{ readonly state: string; readonly html: string }> {
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "choose-factor", factor: "recovery-code" });
    return { state, html: await (await openStep(browser, state)).text() };
  }

  const form = () => ({ action: "enter-factor-code", code: recoveryCode }) as const;

  test("shows the next recovery code after a repeated form, until the user has stored it", async () => {
    const browser = service.browser();
    const { state, html } = await openPage(browser);
    const before = await sessions();
    await sendForm(copyOf(browser), html, form());
    service.clock.advance("9m");
    await sendForm(browser, html, form());
    const shown = screenOf(await getFlow(browser, state));
    expect(shown).toMatchObject({ name: "recovery-code" });
    await expectValid(stringMember(shown, "code"));
    expect(await sessions()).toBe(before + 1);
    const late = copyOf(browser);
    await submitStep(browser, state, { action: "recovery-code-stored" });
    service.clock.advance("11s");
    const repeated = await sendForm(late, html, form());
    expect(repeated.headers.getSetCookie().filter((cookie) => cookie.includes("session_"))).toEqual([]);
  });

  test("does not sign in with a repeated form after ten minutes", async () => {
    const browser = service.browser();
    const { html } = await openPage(browser);
    await sendForm(copyOf(browser), html, form());
    service.clock.advance("11m");
    const repeated = await sendForm(browser, html, form());
    expect(repeated.headers.getSetCookie().filter((cookie) => cookie.includes("session_"))).toEqual([]);
  });

  test("after a crash at any write, the same form shows the next recovery code, also if it was sent too early", async () => {
    writes.length = 0;
    const first = service.browser();
    const opened = await openPage(first);
    writes.length = 0;
    await sendForm(first, opened.html, form());
    const moments = writes.map((name, i) => ({ name, write: i + 1 }));
    expect(moments.length).toBeGreaterThan(4);
    for (const { name, write } of sampled("lost recovery codes of the login page", moments)) {
      const after = `after write ${write}, ${name}`;
      service.clock.advance("1h");
      ({ recoveryCode } = await replaceRecoveryCode());
      const browser = service.browser();
      const { state, html } = await openPage(browser);
      crashAt = write;
      expect((await sendForm(copyOf(browser), html, form())).status, after).toBe(500);
      await sendForm(copyOf(browser), html, form());
      service.clock.advance("11s");
      await sendForm(browser, html, form());
      const shown = screenOf(await getFlow(browser, state));
      expect(shown, after).toMatchObject({ name: "recovery-code" });
      await expectValid(stringMember(shown, "code"));
    }
  });
});

describe("the page of the account", () => {
  /** Opens the page that asks for the recovery code before a change. */
  async function openPage(browser: Browser) {
    const challenge = await openSecurity(browser, { view: "add" });
    return submitSecurity(browser, challenge, { action: "choose-factor", factor: "recovery-code" });
  }

  /** Signs in with the authenticator app, 16 minutes ago. */
  async function signIn(): Promise<Browser> {
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    await submitStep(browser, state, { action: "enter-factor-code", code: totpAt(secret, service.clock.now()) });
    service.clock.advance("16m");
    return browser;
  }

  const form = () => ({ action: "enter-factor-code", code: recoveryCode }) as const;

  test("shows the same recovery code after a repeated form, for ten minutes, and returns to the change", async () => {
    const browser = await signIn();
    const page = await openPage(browser);
    const shown = await Promise.all([1, 2].map(() => submitSecurity(browser, page, form())));
    service.clock.advance("9m");
    const [first = "", ...others] = [...shown, await submitSecurity(browser, page, form())].map(shownCode);
    expect(others).toEqual([first, first]);
    await expectValid(first);
    const stored = await submitSecurity(browser, shown[0] ?? page, { action: "recovery-code-stored" });
    expect(stored.html).toContain('value="totp"');
    service.clock.advance("1m");
    expect((await submitSecurity(browser, page, form())).html).not.toContain("<code");
  });

  test("does not show it to another session", async () => {
    const browser = await signIn();
    const page = await openPage(browser);
    await submitSecurity(browser, page, form());
    const other = await signIn();
    const rejected = await submitSecurity(other, await openPage(other), form());
    expect(rejected.html).toContain("This code is wrong");
  });

  test("after a crash at any write, the same form shows the next recovery code", async () => {
    const browser = await signIn();
    writes.length = 0;
    const first = await openPage(browser);
    writes.length = 0;
    shownCode(await submitSecurity(browser, first, form()));
    const moments = writes.map((name, i) => ({ name, write: i + 1 }));
    expect(moments.length).toBeGreaterThan(2);
    for (const { name, write } of sampled("lost recovery codes of the page of the account", moments)) {
      service.clock.advance("20m");
      ({ recoveryCode } = await replaceRecoveryCode());
      const page = await openPage(browser);
      crashAt = write;
      const action = formAction(page.html) ?? "";
      const lost = await browser.post(action, { form: { ...formFields(page.html), ...form() } });
      expect(lost.status, `after write ${write}, ${name}`).toBe(500);
      await expectValid(shownCode(await submitSecurity(browser, page, form())));
    }
  });
});

test("the page of a link shows the same recovery code to a repeated form", async () => {
  await setPolicies(service, []);
  const link = await createTicketLink(service, "password-change", { user_id: service.ada.userId });
  const browser = service.browser();
  const chosen = await submitLinkForm(browser, await openLink(browser, link), { action: "choose-factor", factor: "recovery-code" });
  const send = async (): Promise<string> => {
    const fields = { ...formFields(chosen.html), action: "enter-factor-code", code: recoveryCode };
    const html = await (await service.browser(browser.cookies).post(formAction(chosen.html) ?? "", { form: fields })).text();
    return shownCode({ ...chosen, html });
  };
  const [first, second] = await Promise.all([send(), send()]);
  service.clock.advance("9m");
  expect([second, await send()]).toEqual([first, first]);
  await expectValid(first);
});
