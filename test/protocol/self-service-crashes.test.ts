import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import { sendAuthorization, login, loginState, openService, openStep, type LoginService } from "../support/flow.ts";
import { sampled } from "../support/nightly.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";

/**
 * After a crash after any write of a sign-up or a password reset, the user submits the same page again or requests
 * another code, and completes the flow.
 */

const password = "correct horse battery";
const another = "another horse battery";

interface Scene {
  readonly service: LoginService;
  readonly outbox: Outbox;
  readonly browser: Browser;
  readonly names: string[];
  /** Simulates one crash after this number of further writes. */
  loseAfter(writes: number): void;
}

async function scene(): Promise<Scene> {
  const names: string[] = [];
  const outbox = createOutbox();
  let crashAt: number | undefined;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    const done = await run();
    // Several requests share one insert of their log events, and no other state depends on these events.
    if (name === "logs.insert") return done;
    names.push(name);
    if (crashAt !== undefined && --crashAt === 0) {
      crashAt = undefined;
      throw new Error("lost");
    }
    return done;
  });
  const service = await openService({ data, messages: { mail: outbox.mail }, logger: { log() {} } });
  return { service, outbox, browser: service.browser(), names, loseAfter: (writes) => (crashAt = writes) };
}

/** Sends a page's form. @returns the status and the redirect URL. */
async function send(browser: Browser, html: string, fields: { readonly [name: string]: string }): Promise<readonly [number, string]> {
  const response = await browser.post(formAction(html) ?? "", { form: { ...formFields(html), ...fields } });
  return [response.status, response.headers.get("location") ?? ""];
}

const pageOf = async (browser: Browser, state: string, step?: string): Promise<string> => (await openStep(browser, state, step)).text();

/** Sends the newest code, and a newer one if that code was used up by the crash. @returns the redirect URL. */
async function bringCode({ browser, outbox }: Scene, state: string, email: string, target: string): Promise<string> {
  const html = await pageOf(browser, state, "code");
  if (!outbox.sent.some(({ to }) => to === email)) await send(browser, html, { action: "resend-code" });
  const [, first] = await send(browser, await pageOf(browser, state, "code"), { action: "enter-code", code: codeOf(outbox.take(email)) });
  if (first.includes(target)) return first;
  await send(browser, await pageOf(browser, state, "code"), { action: "resend-code" });
  const [, second] = await send(browser, await pageOf(browser, state, "code"), { action: "enter-code", code: codeOf(outbox.take(email)) });
  return second;
}

async function signsIn(service: LoginService, email: string, typed: string): Promise<boolean> {
  return login(service.browser(), service.web, { email, password: typed, userId: "" }).then(
    () => true,
    () => false,
  );
}

test("sending a sign-up form again after a crash creates the account, and a code verifies its address", async () => {
  const email = "new@example.test";
  const begin = async (): Promise<readonly [Scene, string, string]> => {
    const opened = await scene();
    const state = loginState(await sendAuthorization(opened.browser, opened.service.web, { screen_hint: "signup" }));
    const html = await pageOf(opened.browser, state, "sign-up");
    opened.names.length = 0;
    return [opened, state, html];
  };
  const fields = { action: "make-account", email, password };
  const [uninterrupted, , form] = await begin();
  expect(await send(uninterrupted.browser, form, fields)).toEqual([303, expect.stringContaining("step=code")]);
  const writes = [...uninterrupted.names];
  expect(writes.length).toBeGreaterThan(4);

  for (const [index, name] of sampled("crashes", [...writes.entries()])) {
    const [interrupted, state, html] = await begin();
    interrupted.loseAfter(index + 1);
    expect((await send(interrupted.browser, html, fields))[0], name).toBe(500);
    expect(await send(interrupted.browser, html, fields), `after ${name}`).toEqual([303, expect.stringContaining("step=code")]);
    expect(await bringCode(interrupted, state, email, "code="), `after ${name}`).toContain("code=");
    expect(await signsIn(interrupted.service, email, password), `after ${name}`).toBe(true);
  }
});

test("sending a sign-up code again after a crash, or another code, verifies the address", async () => {
  const email = "new@example.test";
  const begin = async (): Promise<readonly [Scene, string, string, string]> => {
    const opened = await scene();
    const state = loginState(await sendAuthorization(opened.browser, opened.service.web, { screen_hint: "signup" }));
    await send(opened.browser, await pageOf(opened.browser, state, "sign-up"), { action: "make-account", email, password });
    const html = await pageOf(opened.browser, state, "code");
    const code = codeOf(opened.outbox.take(email));
    opened.names.length = 0;
    return [opened, state, html, code];
  };
  const [uninterrupted, , form, right] = await begin();
  expect((await send(uninterrupted.browser, form, { action: "enter-code", code: right }))[1]).toContain("code=");
  const writes = [...uninterrupted.names];

  // After the login is stored, requesting the page again sends the response to the client.
  const recorded = writes.lastIndexOf("login_sessions.update");
  for (const [index, name] of sampled("crashes", [...writes.slice(0, recorded).entries()])) {
    const [interrupted, state, html, code] = await begin();
    interrupted.loseAfter(index + 1);
    expect((await send(interrupted.browser, html, { action: "enter-code", code }))[0], name).toBe(500);
    expect(await bringCode(interrupted, state, email, "code="), `after ${name}`).toContain("code=");
    expect(await signsIn(interrupted.service, email, password), `after ${name}`).toBe(true);
  }
});

test("a crash during a password reset leaves the old password valid before the deciding write, and the new one after it", async () => {
  const begin = async (): Promise<readonly [Scene, string, string]> => {
    const opened = await scene();
    const { browser, service, outbox } = opened;
    const state = loginState(await sendAuthorization(browser, service.web));
    await send(browser, await pageOf(browser, state, "identifier"), { action: "continue", identifier: service.ada.email });
    await send(browser, await pageOf(browser, state, "password"), { action: "forgot-password" });
    await send(browser, await pageOf(browser, state, "reset-password"), { action: "send-reset", identifier: service.ada.email });
    const code = codeOf(outbox.take(service.ada.email));
    await send(browser, await pageOf(browser, state, "code"), { action: "enter-code", code });
    const html = await pageOf(browser, state, "new-password");
    opened.names.length = 0;
    return [opened, state, html];
  };
  const fields = { action: "set-password", password: another };
  const [uninterrupted, , form] = await begin();
  expect((await send(uninterrupted.browser, form, fields))[1]).toContain("code=");
  const writes = [...uninterrupted.names];
  const decided = writes.indexOf("users.update");

  for (const [index, name] of sampled("crashes", [...writes.entries()])) {
    const [interrupted, , html] = await begin();
    const { email } = interrupted.service.ada;
    interrupted.loseAfter(index + 1);
    await send(interrupted.browser, html, fields);
    const isNew = index >= decided;
    expect(await signsIn(interrupted.service, email, isNew ? another : password), `after ${name}`).toBe(true);
    expect(await signsIn(interrupted.service, email, isNew ? password : another), `after ${name}`).toBe(false);
    // After a crash before the deciding write, the form can be sent again.
    if (!isNew) expect((await send(interrupted.browser, html, fields))[1], `after ${name}`).toContain("code=");
  }
});
