import { decodeJwt } from "jose";
import type { Action, PostLoginApi, PostLoginEvent } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { forEachWrite } from "../support/each-write.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import { openMfaService, otpGrant, recoveryGrant, type MfaService } from "./mfa-api-support.ts";
import { setPolicies } from "./support.ts";

type Run = (event: PostLoginEvent, api: PostLoginApi) => void;

let service: MfaService;
let run: Run | undefined;
let secret: string;
let recoveryCode: string;
/** The number of writes, and the write after which the process crashes. */
let writes = 0;
let failAt = Infinity;

beforeEach(async () => {
  run = undefined;
  const action: Action = { name: "demands", onExecutePostLogin: (event, api) => run?.(event, api) };
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, write) => {
    const done = await write();
    // Several requests share one insert of their log events, and no other state depends on these events.
    if (name !== "logs.insert" && ++writes === failAt) throw new Error("the process crashed");
    return done;
  });
  service = await openMfaService({ data, logger: { log() {} }, actions: [action] });
  ({ secret, recoveryCode } = await service.enrollApp());
  await setPolicies(service, []);
});

const challengeOtp: Run = (_, api) => api.authentication.challengeWith({ type: "otp" });
const offline = { scope: "openid offline_access" };

test("the password grant continues with an MFA grant if an action requires a factor", async () => {
  run = challengeOtp;
  const begun = await service.begin();
  expect(begun).toMatchObject({ error: "mfa_required", mfa_requirements: { challenge: [{ type: "otp" }] } });
  expect(await service.data.collections.sessions.count({ tenant_id: "main", user_id: service.ada.userId, cookie_hash: null })).toBe(1);
  const reply = jsonBody(await service.grant(otpGrant, { mfa_token: stringMember(begun, "mfa_token"), otp: service.codeNow(secret) }));
  expect(decodeJwt(stringMember(reply, "id_token"))).toMatchObject({ amr: ["pwd", "otp", "mfa"] });
});

test("a recovery code does not satisfy an action that requires an authenticator app", async () => {
  run = challengeOtp;
  const begun = await service.begin();
  const next = await service.grant(recoveryGrant, { mfa_token: stringMember(begun, "mfa_token"), recovery_code: recoveryCode });
  expect(next).toMatchObject({ status: 400, body: { error: "unsupported_challenge_type" } });
  expect(next.body).not.toHaveProperty("access_token");
});

describe("the same request with a recovery code, sent again because its response was lost", () => {
  const use = (mfa_token: string): Promise<ApiResponse> => service.grant(recoveryGrant, { mfa_token, recovery_code: recoveryCode });
  let mfaToken: string;

  beforeEach(async () => {
    await setPolicies(service, ["all-applications"]);
    mfaToken = stringMember(await service.begin(), "mfa_token");
  });

  test("gets the same denial of an action and the next recovery code, also if the action allows the sign-in by then", async () => {
    run = (_, api) => api.access.deny("Not today.");
    const first = await use(mfaToken);
    expect(first).toMatchObject({ status: 400, body: { error: "access_denied", error_description: "Not today." } });
    const { status, body } = await use(mfaToken);
    expect({ status, body }).toEqual({ status: first.status, body: first.body });
    run = undefined;
    expect((await use(mfaToken)).body).toEqual(first.body);
    expect(await service.data.collections.sessions.count({ tenant_id: "main", cookie_hash: null })).toBe(1);
    const recovery_code = stringMember(jsonBody(first, 400), "recovery_code");
    jsonBody(await service.grant(recoveryGrant, { mfa_token: stringMember(await service.begin(), "mfa_token"), recovery_code }), 200);
    expect((await use(mfaToken)).body).toMatchObject({ error: "expired_token" });
  });

  test("gets the same recovery code, and an mfa_token for the factor that an action requires", async () => {
    run = (_, api) => api.authentication.enrollWith({ type: "phone" });
    const first = jsonBody(await use(mfaToken), 403);
    const second = jsonBody(await use(mfaToken), 403);
    for (const reply of [first, second])
      expect(reply).toMatchObject({ error: "mfa_required", mfa_requirements: { enroll: [{ type: "phone" }] } });
    expect(second["recovery_code"]).toBe(first["recovery_code"]);
    expect(second["mfa_token"]).not.toBe(first["mfa_token"]);
    const sms = { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number: "+491701234567" };
    expect((await service.associate(stringMember(second, "mfa_token"), sms)).status).toBe(200);
  });

  test("gets the next recovery code after a crash at any write of the denial", async () => {
    run = (_, api) => api.access.deny("Not today.");
    await forEachWrite(async (crashAt) => {
      const account = await service.addUser(`denied-${crashAt}@example.test`);
      const methods = `/api/v2/users/${encodeURIComponent(account.userId)}`;
      await service.manage.create(`${methods}/authentication-methods`, { type: "totp", totp_secret: secret });
      recoveryCode = stringMember(jsonBody(await service.manage("POST", `${methods}/recovery-code-regeneration`)), "recovery_code");
      const token = stringMember(await service.begin(account), "mfa_token");
      writes = 0;
      failAt = crashAt;
      const interrupted = await use(token);
      const count = writes;
      failAt = Infinity;
      if (crashAt !== Infinity) expect(interrupted.status).toBe(500);
      service.clock.advance("61s");
      const repeated = await use(token);
      expect(repeated, `a crash at write ${crashAt}`).toMatchObject({ status: 400, body: { error: "access_denied" } });
      expect(stringMember(jsonBody(repeated, 400), "recovery_code")).toMatch(/^[A-Z0-9]{24}$/);
      return count;
    });
  });
});

test("a second requirement holds after the first factor", async () => {
  run = (_, api) => {
    api.authentication.challengeWith({ type: "otp" });
    api.authentication.enrollWith({ type: "phone" });
  };
  const begun = await service.begin();
  const next = await service.grant(otpGrant, { mfa_token: stringMember(begun, "mfa_token"), otp: service.codeNow(secret) });
  expect(jsonBody(next, 403)).toMatchObject({ error: "mfa_required", mfa_requirements: { enroll: [{ type: "phone" }] } });
});

test("a refresh fails with mfa_required, keeps the refresh token, and never raises acr", async () => {
  const { refresh_token: refresh = "" } = jsonBody(await service.password(service.ada, offline)) as { refresh_token?: string };
  const refreshed = () =>
    service.exchange({
      grant_type: "refresh_token",
      client_id: service.app.clientId,
      client_secret: clientSecret,
      refresh_token: refresh,
    });
  run = challengeOtp;
  const refused = jsonBody(await refreshed(), 403);
  expect(refused).toMatchObject({ error: "mfa_required", error_description: "Multifactor authentication required" });
  jsonBody(await service.grant(otpGrant, { mfa_token: stringMember(refused, "mfa_token"), otp: service.codeNow(secret) }));
  run = undefined;
  const renewed = decodeJwt(stringMember(jsonBody(await refreshed()), "id_token"));
  expect(renewed).not.toHaveProperty("acr");
  expect(renewed["amr"]).toEqual(["pwd"]);
});

test("an action that fails issues nothing", async () => {
  run = () => {
    throw new Error("no answer");
  };
  const reply = await service.password();
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(reply.body).not.toHaveProperty("access_token");
});
