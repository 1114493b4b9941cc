import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { creationOptionsSchema, requestOptionsSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { aroundWrites } from "../servers/support/around-writes.ts";
import type { JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { getFlow, redirectOf, screenName, sendStep, submitStep, successParameters, type FlowStep } from "../support/flow.ts";
import { sampled } from "../support/nightly.ts";
import { codeOf } from "../support/outbox.ts";
import { openFactorService, screenOf, signInToFactor, type FactorService } from "./support.ts";

/**
 * After a crash at any write of adding or passing a phone, an email code or a security key, the user completes the login
 * in the same browser and can sign in with another one. No session exists without a factor.
 */

const phone = "+491701234567";
const totpSecret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** The factor that the user adds or uses. */
type Kind = "phone" | "email" | "webauthn-roaming";

interface Scene {
  readonly service: FactorService;
  readonly browser: Browser;
  readonly state: string;
  readonly kind: Kind;
  readonly device: SoftwareAuthenticator;
  readonly names: string[];
  /** Simulates one crash after this number of further writes. */
  loseAfter(writes: number): void;
}

async function openScene(kind: Kind, prepare: (scene: Omit<Scene, "browser" | "state">) => Promise<unknown>): Promise<Scene> {
  const names: string[] = [];
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
  const service = await openFactorService({ data, logger: { log() {} } });
  await service.manage("PUT", "/api/v2/guardian/factors/recovery-code", { enabled: false });
  await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming", { enabled: kind === "webauthn-roaming" });
  const device = createSoftwareAuthenticator({ origin: "https://id.example.test" });
  const started = { service, kind, device, names, loseAfter: (writes: number) => (crashAt = writes) };
  await prepare(started);
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  return { ...started, browser, state };
}

type Place = Pick<Scene, "service" | "kind" | "device"> & { readonly browser: Browser; readonly state: string };

/** Returns the newest code that was sent to the user's phone or mailbox. */
const sentCode = ({ service, kind }: Place): string => codeOf(service.outbox.take(kind === "phone" ? phone : service.ada.email));

/** Returns the action that submits the response of the security key to the current screen. */
async function keyAction({ browser, state, device }: Place, action: "use-key" | "confirm-key"): Promise<FlowStep> {
  const { publicKey } = screenOf(await getFlow(browser, state));
  const response =
    action === "use-key"
      ? await device.get(requestOptionsSchema.parse(publicKey))
      : await device.create(creationOptionsSchema.parse(publicKey));
  return { action, response: JSON.stringify(response) };
}

/** Starts to add the factor, up to the screen that confirms it. @returns the action that confirms it. */
async function startAdding(place: Place): Promise<FlowStep> {
  const { browser, state, kind } = place;
  await submitStep(browser, state, { action: "choose-new-factor", factor: kind });
  if (kind === "webauthn-roaming") return keyAction(place, "confirm-key");
  await submitStep(browser, state, { action: "enter-phone", phone });
  return { action: "confirm-new-factor", code: sentCode(place) };
}

/** Requests what the user needs to pass the factor. @returns the action that passes it. */
async function startPassing(place: Place): Promise<FlowStep> {
  const { browser, state, kind, service } = place;
  await submitStep(browser, state, { action: "choose-factor", factor: kind });
  if (kind === "webauthn-roaming") return keyAction(place, "use-key");
  // The last code may have been sent less than 30 seconds ago.
  service.clock.advance("31s");
  await submitStep(browser, state, { action: "send-factor-code" });
  return { action: "enter-factor-code", code: sentCode(place) };
}

const isDone = (reply: JsonBody): boolean => !("screen" in reply);

/** Continues a login from the current screen, as its user sees it. */
async function complete(place: Place): Promise<void> {
  const { service, browser, state } = place;
  service.clock.advance("31s");
  let reply = await getFlow(browser, state);
  if (!isDone(reply) && screenName(reply) === "password")
    reply = await submitStep(browser, state, { action: "sign-in", password: service.ada.password });
  if (!isDone(reply) && screenName(reply) === "add-factor") {
    // The form of the former choice may still be shown.
    if ("others" in screenOf(reply) || screenOf(reply)["factor"] !== undefined)
      await submitStep(browser, state, { action: "other-new-factor" });
    reply = await submitStep(browser, state, await startAdding(place));
  } else if (!isDone(reply) && screenName(reply) === "factor") reply = await submitStep(browser, state, await startPassing(place));
  successParameters(redirectOf(reply));
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

/** Runs an action with a crash after each of its writes. @param open opens a scene in which the action is available. */
async function crashAtEachWrite(open: () => Promise<{ readonly scene: Scene; readonly action: FlowStep }>): Promise<void> {
  const { scene: first, action: uninterrupted } = await open();
  first.names.length = 0;
  await submitStep(first.browser, first.state, uninterrupted);
  // The link in the mail about a new factor is stored after the response.
  const writes = first.names.at(-1) === "tickets.insert" ? first.names.slice(0, -1) : [...first.names];
  expect(writes).toContain("sessions.insert");
  for (const [index, name] of sampled("crashes", [...writes.entries()])) {
    const after = `after write ${index + 1}, ${name}`;
    const { scene, action } = await open();
    scene.loseAfter(index + 1);
    expect((await sendStep(scene.browser, scene.state, action)).status, after).toBe(500);
    await expectInvariants(scene.service, after);
    const again = async (): Promise<void> => {
      await complete(scene);
      const browser = scene.service.browser();
      const { state } = await signInToFactor(scene.service, browser);
      await complete({ ...scene, browser, state });
    };
    await again().catch((error: unknown) => {
      throw new Error(after, { cause: error });
    });
    await expectInvariants(scene.service, after);
  }
}

/** Gives the user the factor before the login of the scene. */
async function giveFactor({ service, kind, device }: Omit<Scene, "browser" | "state">): Promise<void> {
  if (kind === "email") {
    const path = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/authentication-methods`;
    await service.manage("POST", path, { type: "totp", name: "App", totp_secret: totpSecret });
    return;
  }
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  const place = { service, kind, device, browser, state };
  successParameters(redirectOf(await submitStep(browser, state, await startAdding(place))));
}

test.each<Kind>(["phone", "webauthn-roaming"])(
  "after a crash while a new factor (%s) is confirmed, the user has it or adds it",
  { timeout: 180_000 },
  async (kind) => {
    await crashAtEachWrite(async () => {
      const scene = await openScene(kind, async () => undefined);
      return { scene, action: await startAdding(scene) };
    });
  },
);

test.each<Kind>(["phone", "email", "webauthn-roaming"])(
  "after a crash while a factor (%s) is passed, another attempt completes the login",
  { timeout: 180_000 },
  async (kind) => {
    await crashAtEachWrite(async () => {
      const scene = await openScene(kind, giveFactor);
      return { scene, action: await startPassing(scene) };
    });
  },
);
