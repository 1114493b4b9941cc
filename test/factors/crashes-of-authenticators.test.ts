import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { openSecurity, submitSecurity } from "../account/support.ts";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { formAction, formFields } from "../support/browser.ts";
import { sendAuthorization, signInAtLoginPage } from "../support/flow.ts";
import { sampled } from "../support/nightly.ts";
import type { ApiResponse } from "../support/postern.ts";
import { openMfaService, otpGrant, recoveryGrant, type MfaService } from "./mfa-api-support.ts";
import { setPolicies, totpAt } from "./support.ts";

/**
 * After a crash at any write of adding or removing an authenticator with the MFA API or on the page of the account, the
 * user can still use the MFA API: with the factors that are confirmed, or without one.
 */

const audience = "https://id.example.test/mfa/";
const scope = "enroll read:authenticators remove:authenticators";

/** A service without a policy whose writes can be lost. */
interface Scene extends MfaService {
  readonly writes: string[];
  /** Simulates one crash after this number of further writes. */
  loseAfter(writes: number): void;
}

async function openScene(): Promise<Scene> {
  const writes: string[] = [];
  let crashAt: number | undefined;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    const done = await run();
    // Several requests share one insert of their log events. The ticket for the mail is stored after the response.
    if (name === "logs.insert" || name === "tickets.insert") return done;
    writes.push(name);
    if (crashAt !== undefined && --crashAt === 0) {
      crashAt = undefined;
      throw new Error("lost");
    }
    return done;
  });
  const service = await openMfaService({ data, logger: { log() {} } });
  await setPolicies(service, []);
  return { ...service, writes, loseAfter: (count) => (crashAt = count) };
}

/** Requests an access token of the MFA API with the password, and passes the authenticator app if one is required. */
async function accessToken(scene: Scene, secret: string): Promise<string> {
  scene.clock.advance("31s");
  const reply = await scene.password(undefined, { audience, scope });
  if (reply.status === 200) return stringMember(jsonBody(reply), "access_token");
  const mfa_token = stringMember(jsonBody(reply, 403), "mfa_token");
  return stringMember(jsonBody(await scene.grant(otpGrant, { mfa_token, otp: scene.codeNow(secret) }), 200), "access_token");
}

interface StartedApp {
  readonly token: string;
  readonly id: string;
  readonly secret: string;
  readonly recoveryCode: string;
}

/** Starts to add an authenticator app. */
async function startApp(scene: Scene, secret = ""): Promise<StartedApp> {
  const token = await accessToken(scene, secret);
  const added = jsonBody(await scene.associate(token, { authenticator_types: ["otp"] }), 200);
  return {
    token,
    id: stringMember(added, "id"),
    secret: stringMember(added, "secret"),
    recoveryCode: String(added["recovery_codes"] ?? ""),
  };
}

const confirmApp = (scene: Scene, { token, secret }: StartedApp): Promise<ApiResponse> =>
  scene.grant(otpGrant, { mfa_token: token, otp: scene.codeNow(secret) });

const ownedByAda = ({ ada }: Scene) => ({ tenant_id: "main", user_id: ada.userId });

async function confirmedFactors(scene: Scene): Promise<readonly { readonly id: string; readonly type: string }[]> {
  const where = { ...ownedByAda(scene), confirmed_at: { exists: true } } as const;
  return scene.data.collections.factors.find({ where, limit: 100 });
}

/** Expects that the user's row lists exactly the types of the confirmed factors, after the factors were read once. */
async function expectHealed(scene: Scene, after: string): Promise<void> {
  const [user] = await scene.data.collections.users.find({ where: ownedByAda(scene), limit: 1 });
  const types = [...new Set((await confirmedFactors(scene)).map(({ type }) => type))].toSorted();
  expect(user?.enrolled_factors ?? [], after).toEqual(types);
}

/** Returns the writes of an action from its start to its response. */
async function writesOf(scene: Scene, run: () => Promise<unknown>): Promise<readonly { readonly name: string; readonly write: number }[]> {
  scene.writes.length = 0;
  await run();
  expect(scene.writes.length).toBeGreaterThan(2);
  return scene.writes.map((name, i) => ({ name, write: i + 1 }));
}

test("while the first authenticator app is confirmed, the user has it with its recovery code, or adds another one", async () => {
  const uninterrupted = await openScene();
  const started = await startApp(uninterrupted);
  const writes = await writesOf(uninterrupted, () => confirmApp(uninterrupted, started));
  expect(writes.map(({ name }) => name)).toEqual(expect.arrayContaining(["users.update", "factors.update", "factors.insert"]));
  for (const { name, write } of sampled("crashes while an authenticator app is confirmed", writes)) {
    const after = `after write ${write}, ${name}`;
    const scene = await openScene();
    const app = await startApp(scene);
    scene.loseAfter(write);
    expect((await confirmApp(scene, app)).status, after).toBe(500);
    const isConfirmed = (await confirmedFactors(scene)).some(({ id }) => id === app.id);
    const token = await accessToken(scene, app.secret);
    if (isConfirmed) {
      const mfa_token = stringMember(jsonBody(await scene.password(undefined, { audience, scope }), 403), "mfa_token");
      const used = await scene.grant(recoveryGrant, { mfa_token, recovery_code: app.recoveryCode });
      expect([used.status, used.body], after).toEqual([200, expect.objectContaining({ recovery_code: expect.any(String) })]);
    } else {
      const next = await startApp(scene);
      expect((await confirmApp(scene, next)).status, after).toBe(200);
      expect((await confirmApp(scene, app)).status, after).toBeGreaterThanOrEqual(400);
    }
    expect((await scene.authenticators(token)).status, after).toBe(200);
    expect(await confirmedFactors(scene), after).toHaveLength(2);
    // The types of abandoned factors are removed when they have expired.
    scene.clock.advance("11m");
    await accessToken(scene, isConfirmed ? app.secret : "").catch(() => undefined);
    await expectHealed(scene, after);
  }
}, 180_000);

/** Adds an authenticator app to a user without factors. */
async function addApp(scene: Scene): Promise<StartedApp> {
  const app = await startApp(scene);
  expect((await confirmApp(scene, app)).status).toBe(200);
  return app;
}

const remove = (scene: Scene, token: string, id: string): Promise<ApiResponse> =>
  scene.call("DELETE", `/mfa/authenticators/${encodeURIComponent(id)}`, { token });

test("while the last authenticator app is removed, the user has it or no factor", async () => {
  const uninterrupted = await openScene();
  const first = await addApp(uninterrupted);
  const firstToken = await accessToken(uninterrupted, first.secret);
  const writes = await writesOf(uninterrupted, () => remove(uninterrupted, firstToken, first.id));
  expect(writes.map(({ name }) => name)).toEqual(expect.arrayContaining(["users.update", "factors.delete"]));
  for (const { name, write } of sampled("crashes while an authenticator app is removed", writes)) {
    const after = `after write ${write}, ${name}`;
    const scene = await openScene();
    const app = await addApp(scene);
    const token = await accessToken(scene, app.secret);
    scene.loseAfter(write);
    expect((await remove(scene, token, app.id)).status, after).toBe(500);
    const isLeft = (await confirmedFactors(scene)).some(({ id }) => id === app.id);
    const next = await accessToken(scene, app.secret);
    await expectHealed(scene, after);
    if (isLeft) expect((await remove(scene, next, app.id)).status, after).toBe(204);
    expect((await confirmApp(scene, await startApp(scene))).status, after).toBe(200);
  }
}, 180_000);

test("while a factor is removed on the page of the account, the user has it or no factor", async () => {
  const open = async () => {
    const scene = await openScene();
    const browser = scene.browser();
    await signInAtLoginPage(browser, await sendAuthorization(browser, scene.web), scene.ada);
    const chosen = await submitSecurity(browser, await openSecurity(browser, { view: "add" }), {
      action: "choose-new-factor",
      factor: "totp",
    });
    const [, secret = ""] = /secret=([A-Z2-7]{32})/.exec(chosen.html) ?? [];
    await submitSecurity(browser, chosen, { action: "confirm-new-factor", code: totpAt(secret, scene.clock.now()) });
    const [{ id } = { id: "" }] = (await confirmedFactors(scene)).filter(({ type }) => type === "totp");
    const page = await openSecurity(browser, { view: "remove", id });
    const send = () => browser.post(formAction(page.html) ?? "", { form: { ...formFields(page.html), action: "remove-factor" } });
    return { scene, browser, send, id, secret };
  };
  const uninterrupted = await open();
  const writes = await writesOf(uninterrupted.scene, uninterrupted.send);
  for (const { name, write } of sampled("crashes while a factor is removed on the page", writes)) {
    const after = `after write ${write}, ${name}`;
    const { scene, browser, send, id, secret } = await open();
    scene.loseAfter(write);
    expect((await send()).status, after).toBe(500);
    const isLeft = (await confirmedFactors(scene)).some((factor) => factor.id === id);
    expect((await openSecurity(browser)).html.includes(encodeURIComponent(id)), after).toBe(isLeft);
    await accessToken(scene, secret);
    await expectHealed(scene, after);
    if (isLeft) expect((await send()).status, after).toBe(303);
    expect(
      (await confirmedFactors(scene)).some((factor) => factor.id === id),
      after,
    ).toBe(false);
  }
}, 180_000);

test("a type that no factor has hinders no one: neither the MFA API, nor a passkey, a reset, or an action", async () => {
  const scene = await openScene();
  const list = (types: readonly string[]) => scene.data.collections.users.update(ownedByAda(scene), { set: { enrolled_factors: types } });
  const listed = async () => (await scene.data.collections.users.find({ where: ownedByAda(scene), limit: 1 }))[0]?.enrolled_factors;
  for (const types of [["totp"], ["passkey", "phone"], ["recovery-code"], ["webauthn-roaming"]]) {
    await list(types);
    jsonBody(await scene.password(undefined, { audience, scope }), 200);
    expect(await listed(), types.join()).toBeNull();
  }
});
