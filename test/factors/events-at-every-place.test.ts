import { describe, expect, test } from "vitest";
import { creationOptionsSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import { createSoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { openSecurity, submitSecurity } from "../account/support.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { sendAuthorization, signInAtLoginPage, submitStep } from "../support/flow.ts";
import {
  ownPhone,
  placesOfAddition,
  placesOfUse,
  type PlaceForFactors,
  type FactorPrompt,
  type FactorWorld,
  type UsedFactor,
} from "./factor-places.ts";
import { openMfaService, otpGrant } from "./mfa-api-support.ts";
import { appKey, userPath } from "./linked-support.ts";
import { screenOf, setPolicies, signInToFactor, totpAt } from "./support.ts";

/** The audit events of each factor and outcome are the same at every place. The expected types are Auth0's. */

const ofCodes = { right: "gd_auth_succeed", wrong: "gd_auth_failed", locked: "gd_otp_rate_limit_exceed", throttled: "gd_auth_failed" };

const expectedOfUse: { readonly [factor in UsedFactor]: { readonly [outcome in keyof typeof ofCodes]: string } } = {
  totp: ofCodes,
  phone: ofCodes,
  email: ofCodes,
  "webauthn-roaming": { ...ofCodes, wrong: "gd_webauthn_challenge_failed" },
  "recovery-code": {
    right: "gd_recovery_succeed",
    wrong: "gd_recovery_failed",
    locked: "gd_recovery_rate_limit_exceed",
    throttled: "gd_recovery_failed",
  },
};

const apiNames = { totp: "otp", phone: "phone", email: "email", "webauthn-roaming": "webauthn-roaming", "recovery-code": "recovery-code" };

/** An audit event without the parts that differ between requests. */
type ComparedEvent = readonly [type: string, description: string, details: object];

/** Runs a function, and returns the events about factors that it wrote. Messages and the MFA API's challenges are left out. */
async function eventsOf({ service }: FactorWorld, run: () => Promise<unknown>): Promise<readonly ComparedEvent[]> {
  const read = async () => {
    const where = { tenant_id: "main" };
    const orderBy = { fields: ["tenant_id", "log_id"], direction: "asc" } as const;
    return service.data.collections.logs.find({ where, orderBy, limit: 1000 });
  };
  const before = (await read()).length;
  await run();
  return (await read())
    .slice(before)
    .filter(({ type }) => String(type).startsWith("gd_") && !/^gd_(send_|start_auth)/.test(String(type)))
    .map(({ type, description, details, user_id: userId }): ComparedEvent => {
      expect(userId).toBe(service.ada.userId);
      const { request_id: _, ...compared } = Object(details);
      return [String(type), String(description), compared];
    });
}

/** Opens a service whose user has no factor. */
async function openWorld(): Promise<FactorWorld> {
  const service = await openMfaService();
  await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming", { enabled: true });
  const device = createSoftwareAuthenticator({ origin: "https://id.example.test" });
  return { service, device, appKey, recoveryCode: "" };
}

/** Opens a service whose user has every factor. */
async function openWorldWithFactors(): Promise<FactorWorld> {
  const world = await openWorld();
  const { service, device } = world;
  const browser = service.browser();
  const { state } = await signInToFactor(service, browser);
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "webauthn-roaming" }));
  const response = JSON.stringify(await device.create(creationOptionsSchema.parse(chosen["publicKey"])));
  await submitStep(browser, state, { action: "confirm-key", response });
  const methods = `${userPath(service.ada)}/authentication-methods`;
  await service.manage.create(methods, { type: "totp", totp_secret: appKey });
  await service.manage.create(methods, { type: "phone", phone_number: ownPhone });
  const renewed = await service.manage("POST", `${userPath(service.ada)}/recovery-code-regeneration`);
  world.recoveryCode = stringMember(jsonBody(renewed), "recovery_code");
  return world;
}

/** Uses up all attempts. @returns the events of the last one, and of a further attempt with the right code. */
async function lock(world: FactorWorld, { submit }: FactorPrompt) {
  for (let attempt = 1; attempt < 10; attempt++) await submit("wrong");
  const locked = await eventsOf(world, () => submit("wrong"));
  return { locked, throttled: await eventsOf(world, () => submit("right")) };
}

const typesOf = (events: readonly ComparedEvent[]): readonly string[] => events.map(([type]) => type);

/** Finds the events at each place that accepts a factor, and expects the same at all of them. */
async function commonEvents<Factor, Events>(
  places: { readonly [place: string]: PlaceForFactors<Factor> },
  factor: Factor,
  find: (open: (world: FactorWorld) => Promise<FactorPrompt>) => Promise<Events>,
): Promise<Events> {
  const accepting = Object.entries(places).filter(([, { factors }]) => factors.includes(factor));
  const found: (readonly [place: string, Events])[] = [];
  for (const [place, { open }] of accepting) found.push([place, await find((world) => open(world, factor))]);
  const [[, first] = []] = found;
  if (first === undefined) throw new Error("no place accepts the factor");
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(accepting.map(([place]) => [place, first])));
  return first;
}

describe("the events of an enrolled factor are the same at every place", () => {
  test.each(["totp", "phone", "email", "webauthn-roaming", "recovery-code"] as const)("%s", async (factor) => {
    const common = await commonEvents(placesOfUse, factor, async (open) => {
      const world = await openWorldWithFactors();
      const prompt = await open(world);
      const wrong = await eventsOf(world, () => prompt.submit("wrong"));
      const right = await eventsOf(world, () => prompt.submit("right"));
      const other = await openWorldWithFactors();
      return { wrong, right, ...(await lock(other, await open(other))) };
    });
    const { right, wrong, locked, throttled } = expectedOfUse[factor];
    expect(Object.entries(common).map(([outcome, events]) => [outcome, typesOf(events)])).toEqual([
      ["wrong", [wrong]],
      ["right", [right]],
      ["locked", [wrong, locked]],
      ["throttled", [throttled]],
    ]);
    for (const [, , details] of Object.values(common).flat()) expect(details).toMatchObject({ factor: apiNames[factor] });
  });
});

describe("the events of a new factor are the same at every place", () => {
  test.each(["totp", "phone"] as const)("%s", async (factor) => {
    const common = await commonEvents(placesOfAddition, factor, async (open) => {
      const world = await openWorld();
      let prompt: FactorPrompt | undefined;
      const started = await eventsOf(world, async () => (prompt = await open(world)));
      const wrong = await eventsOf(world, async () => prompt?.submit("wrong"));
      const right = await eventsOf(world, async () => prompt?.submit("right"));
      const other = await openWorld();
      return { started, wrong, right, ...(await lock(other, await open(other))) };
    });
    expect(Object.entries(common).map(([outcome, events]) => [outcome, typesOf(events)])).toEqual([
      ["started", ["gd_start_enroll"]],
      ["wrong", ["gd_auth_failed"]],
      ["right", ["gd_enrollment_complete", "gd_auth_succeed"]],
      ["locked", ["gd_auth_failed", "gd_otp_rate_limit_exceed"]],
      ["throttled", ["gd_auth_failed"]],
    ]);
  });

  test("webauthn-roaming", async () => {
    const common = await commonEvents(placesOfAddition, "webauthn-roaming", async (open) => {
      const world = await openWorld();
      const prompt = await open(world);
      const wrong = await eventsOf(world, () => prompt.submit("wrong"));
      return { wrong, right: await eventsOf(world, () => prompt.submit("right")) };
    });
    expect(typesOf(common.wrong)).toEqual(["gd_webauthn_enrollment_failed"]);
    expect(typesOf(common.right)).toEqual(["gd_enrollment_complete", "gd_auth_succeed"]);
  });
});

describe("the events of a removed factor are the same at every place", () => {
  /** Adds an authenticator app and a phone by the Management API. @returns the id of the app. */
  async function addFactors({ service }: FactorWorld): Promise<string> {
    const methods = `${userPath(service.ada)}/authentication-methods`;
    await service.manage.create(methods, { type: "phone", phone_number: ownPhone });
    return stringMember(await service.manage.create(methods, { type: "totp", totp_secret: appKey }), "id");
  }

  test("totp", async () => {
    const world = await openWorld();
    const { service } = world;
    await setPolicies(service, []);
    const first = await addFactors(world);
    const browser = service.browser();
    await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada);
    const challenge = await openSecurity(browser, { view: "remove", id: first });
    const code = totpAt(appKey, service.clock.now());
    const page = await submitSecurity(browser, challenge, { action: "enter-factor-code", current_factor: "totp", code });
    const onPage = await eventsOf(world, () => submitSecurity(browser, page, { action: "remove-factor" }));

    const second = stringMember(
      await service.manage.create(`${userPath(service.ada)}/authentication-methods`, { type: "totp", totp_secret: appKey }),
      "id",
    );
    service.clock.advance("31s");
    const scope = "remove:authenticators";
    const required = jsonBody(await service.password(undefined, { audience: "https://id.example.test/mfa/", scope }), 403);
    const mfa_token = stringMember(required, "mfa_token");
    const token = stringMember(jsonBody(await service.grant(otpGrant, { mfa_token, otp: service.codeNow(appKey) })), "access_token");
    const remove = () => service.call("DELETE", `/mfa/authenticators/${encodeURIComponent(second)}`, { token });
    const byApi = await eventsOf(world, remove);
    expect(byApi).toEqual(onPage);
    expect(onPage).toMatchObject([["gd_unenroll", expect.any(String), { authenticator: { type: "otp" } }]]);
  });
});
