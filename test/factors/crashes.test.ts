import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { forEachWrite } from "../support/each-write.ts";
import { getFlow, redirectOf, screenName, sendStep, submitStep, successParameters, type FlowStep } from "../support/flow.ts";
import { sampled } from "../support/nightly.ts";
import { jsonMembersOf } from "./ways-in.ts";
import { enrollApp, openFactorService, screenOf, signInToFactor, totpAt, type FactorService } from "./support.ts";

/**
 * After a crash at any write of adding or passing a second factor, the user completes the login in the same browser and
 * can sign in with another one. No session exists without a factor.
 */

interface Scene {
  readonly service: FactorService;
  readonly browser: Browser;
  readonly state: string;
  readonly names: string[];
  /** Simulates one crash after this number of further writes. */
  loseAfter(writes: number): void;
}

/** Opens a service and enters the password of a user. @param prepare adds factors before the login. */
async function openScene(prepare: (service: FactorService) => Promise<unknown> = async () => undefined): Promise<Scene> {
  const names: string[] = [];
  let crashAt: number | undefined;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    const done = await run();
    // Several requests share one insert of their log events, and no other state depends on these events.
    // The ticket for the mail about the change is stored after the response.
    if (name === "logs.insert" || name === "tickets.insert") return done;
    names.push(name);
    if (crashAt !== undefined && --crashAt === 0) {
      crashAt = undefined;
      throw new Error("lost");
    }
    return done;
  });
  const service = await openFactorService({ data, logger: { log() {} } });
  await prepare(service);
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  return { service, browser, state, names, loseAfter: (writes) => (crashAt = writes) };
}

/** Chooses an authenticator app as the new factor. @returns its key. */
async function chooseApp(browser: Browser, state: string): Promise<string> {
  const { totp } = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }));
  return stringMember(jsonMembersOf(totp), "secret");
}

const codeNow = ({ clock }: FactorService, secret: string): string => totpAt(secret, clock.now());

/** Adds an authenticator app with the current screen, and completes the login. */
async function addApp(
  service: FactorService,
  browser: Browser,
  state: string,
): Promise<{ readonly secret: string; readonly recoveryCode: string }> {
  const secret = await chooseApp(browser, state);
  const shown = screenOf(await submitStep(browser, state, { action: "confirm-new-factor", code: codeNow(service, secret) }));
  successParameters(redirectOf(await submitStep(browser, state, { action: "recovery-code-stored" })));
  service.clock.advance("31s");
  return { secret, recoveryCode: stringMember(shown, "code") };
}

/**
 * Continues the login in the browser of the crash, as its user sees it.
 * @returns the key of the app that the user has then.
 */
async function completeLogin({ service, browser, state }: Scene, secret: string): Promise<string> {
  service.clock.advance("31s");
  let reply = await getFlow(browser, state);
  // The response to the lost request contained the cookie of the session. Without it, the user signs in again.
  if (screenNameOf(reply) === "password") reply = await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  if (screenNameOf(reply) === "add-factor") return (await addApp(service, browser, state)).secret;
  if (screenNameOf(reply) === "factor") {
    if (screenOf(reply)["factor"] !== "totp") await submitStep(browser, state, { action: "choose-factor", factor: "totp" });
    reply = await submitStep(browser, state, { action: "enter-factor-code", code: codeNow(service, secret) });
  }
  if (screenNameOf(reply) === "recovery-code") reply = await submitStep(browser, state, { action: "recovery-code-stored" });
  successParameters(redirectOf(reply));
  return secret;
}

/** Returns the name of the screen; undefined if the login is complete. */
function screenNameOf(reply: JsonBody): string | undefined {
  return "screen" in reply ? screenName(reply) : undefined;
}

/** Signs in with a new browser and the app. */
async function signIn(service: FactorService, secret: string): Promise<void> {
  service.clock.advance("31s");
  const browser = service.browser();
  const { state, reply } = await signInToFactor(service, browser);
  expect(screenName(reply)).toBe("factor");
  successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: codeNow(service, secret) })));
}

/** Requires that every session states a second factor, and that the user's row lists each confirmed factor. */
async function expectInvariants({ data: { collections }, ada }: FactorService, after: string): Promise<void> {
  const sessions = await collections.sessions.find({ where: { tenant_id: "main" }, limit: 100 });
  for (const { authentication } of sessions) expect(JSON.stringify(authentication), after).toContain('"mfa"');
  const where = { tenant_id: "main", user_id: ada.userId };
  const [user] = await collections.users.find({ where, limit: 1 });
  const factors = await collections.factors.find({ where, limit: 100 });
  for (const { type } of factors.filter(({ confirmed_at: at }) => at !== null)) expect(user?.enrolled_factors, after).toContain(type);
}

/** Sends an action once without a crash. @returns its writes. */
async function writesOf({ browser, state, names }: Scene, action: FlowStep): Promise<readonly string[]> {
  names.length = 0;
  await submitStep(browser, state, action);
  expect(names.length).toBeGreaterThan(1);
  // The link in the mail about a change is stored after the response.
  return names.at(-1) === "tickets.insert" ? names.slice(0, -1) : [...names];
}

/**
 * Runs an action with a crash after each of its writes. After each crash, completes the login in the same browser and
 * signs in with another one.
 * @param open opens a scene in which the action is available. @returns the scene, the action and the key of the app.
 */
async function crashAtEachWrite(
  open: () => Promise<{ readonly scene: Scene; readonly action: FlowStep; readonly secret: string }>,
): Promise<readonly string[]> {
  const uninterrupted = await open();
  const writes = await writesOf(uninterrupted.scene, uninterrupted.action);
  for (const [index, name] of sampled("crashes", [...writes.entries()])) {
    const after = `after write ${index + 1}, ${name}`;
    const { scene, action, secret } = await open();
    scene.loseAfter(index + 1);
    expect((await sendStep(scene.browser, scene.state, action)).status, after).toBe(500);
    await expectInvariants(scene.service, after);
    await signIn(scene.service, await completeLogin(scene, secret)).catch((error: unknown) => {
      throw new Error(after, { cause: error });
    });
    await expectInvariants(scene.service, after);
  }
  return writes;
}

test("after a crash while a new factor is chosen, the user chooses again", async () => {
  const writes = await crashAtEachWrite(async () => ({
    scene: await openScene(),
    action: { action: "choose-new-factor", factor: "totp" },
    secret: "",
  }));
  expect(writes).toContain("factors.insert");
});

test("after a crash while a new factor is confirmed, the user has the factor or adds one", async () => {
  const writes = await crashAtEachWrite(async () => {
    const scene = await openScene();
    const secret = await chooseApp(scene.browser, scene.state);
    return { scene, action: { action: "confirm-new-factor", code: codeNow(scene.service, secret) }, secret };
  });
  expect(writes).toEqual(expect.arrayContaining(["factors.update", "users.update", "sessions.insert", "login_sessions.update"]));
});

/** Opens a scene whose user has an app and a recovery code. */
async function openWithApp(): Promise<{ readonly scene: Scene; readonly secret: string; readonly recoveryCode: string }> {
  const added: { readonly secret: string; readonly recoveryCode: string }[] = [];
  const scene = await openScene(async (service) => {
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    added.push(await addApp(service, browser, state));
  });
  const [app] = added;
  if (app === undefined) throw new Error("no app was added");
  return { scene, ...app };
}

test("after a crash while the code of an app is entered, the next code completes the login", async () => {
  const writes = await crashAtEachWrite(async () => {
    const { scene, secret } = await openWithApp();
    return { scene, action: { action: "enter-factor-code", code: codeNow(scene.service, secret) }, secret };
  });
  expect(writes).toEqual(expect.arrayContaining(["factors.update", "sessions.insert", "login_sessions.update"]));
});

test("after a crash while a recovery code is entered, the app completes the login", async () => {
  await crashAtEachWrite(async () => {
    const { scene, secret, recoveryCode } = await openWithApp();
    await submitStep(scene.browser, scene.state, { action: "choose-factor", factor: "recovery-code" });
    return { scene, action: { action: "enter-factor-code", code: recoveryCode }, secret };
  });
});

/** Requires that a recovery code is the valid one of the user. */
async function expectValid({ data: { collections }, ada }: FactorService, code: string, after: string): Promise<void> {
  const where = { tenant_id: "main", user_id: ada.userId, type: "recovery-code" };
  const [stored] = await collections.factors.find({ where, limit: 1 });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  expect(stored?.code_hash, after).toBe(Buffer.from(digest).toString("base64url"));
}

/**
 * Continues the login in the browser of the crash until the recovery code is shown, as its user does.
 * @param step returns the action for a screen of a factor. @returns the recovery code.
 */
async function seeRecoveryCode({ service, browser, state }: Scene, step: (screen: JsonBody) => FlowStep): Promise<string> {
  service.clock.advance("31s");
  let reply = await getFlow(browser, state);
  for (let tries = 0; tries < 5; tries++) {
    const name = screenNameOf(reply);
    if (name === undefined) throw new Error("the login completed without the recovery code");
    if (name === "recovery-code") return stringMember(screenOf(reply), "code");
    reply = await submitStep(
      browser,
      state,
      name === "password" ? { action: "sign-in", password: service.ada.password } : step(screenOf(reply)),
    );
  }
  throw new Error(`no recovery code: ${JSON.stringify(reply)}`);
}

describe("a crash does not lose the recovery code", () => {
  test("when a recovery code is used: the same login accepts it again and shows its successor", async () => {
    const writes = await forEachWrite(async (write) => {
      const after = `after write ${write}`;
      let recoveryCode = "";
      const scene = await openScene(async (service) => {
        ({ recoveryCode } = await enrollApp(service, service.browser()));
        service.clock.advance("31s");
      });
      const { service, browser, state } = scene;
      await submitStep(browser, state, { action: "choose-factor", factor: "recovery-code" });
      const use = { action: "enter-factor-code", code: recoveryCode } as const;
      scene.names.length = 0;
      scene.loseAfter(write);
      expect((await sendStep(browser, state, use)).status, after).toBe(write === Infinity ? 200 : 500);
      const started = scene.names.length;
      const next = await seeRecoveryCode(scene, ({ factor }) =>
        factor === "recovery-code" ? use : { action: "choose-factor", factor: "recovery-code" },
      );
      expect(next, after).not.toBe(recoveryCode);
      await expectValid(service, next, after);
      await expectInvariants(service, after);
      // In another login, the code was used.
      const other = service.browser();
      const login = await signInToFactor(service, other);
      await submitStep(other, login.state, { action: "choose-factor", factor: "recovery-code" });
      expect(screenOf(await getFlow(other, login.state))["factor"], after).toBe("recovery-code");
      expect((await sendStep(other, login.state, use)).status, after).not.toBe(200);
      return started;
    });
    expect(writes).toBeGreaterThan(3);
  });

  test("when the first factor is added: the same login shows the first recovery code", async () => {
    const writes = await forEachWrite(async (write) => {
      const after = `after write ${write}`;
      const scene = await openScene();
      const { service, browser, state } = scene;
      const secret = await chooseApp(browser, state);
      scene.names.length = 0;
      scene.loseAfter(write);
      const confirm = { action: "confirm-new-factor", code: codeNow(service, secret) } as const;
      expect((await sendStep(browser, state, confirm)).status, after).toBe(write === Infinity ? 200 : 500);
      const started = scene.names.length;
      const code = await seeRecoveryCode(scene, ({ name }) => ({
        action: name === "add-factor" ? "confirm-new-factor" : "enter-factor-code",
        code: codeNow(service, secret),
      }));
      await expectValid(service, code, after);
      await expectInvariants(service, after);
      return started;
    });
    expect(writes).toBeGreaterThan(3);
  });
});
