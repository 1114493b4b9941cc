import { decodeJwt } from "jose";
import type { Action, PostLoginApi, PostLoginEvent } from "@postern/core";
import { beforeEach, expect, test } from "vitest";
import { jsonBody, stringMember } from "../support/api.ts";
import { clientSecret } from "../support/postern.ts";
import { openMfaService, otpGrant, recoveryGrant, type MfaService } from "./mfa-api-support.ts";
import { setPolicies } from "./support.ts";

type Run = (event: PostLoginEvent, api: PostLoginApi) => void;

let service: MfaService;
let run: Run | undefined;
let secret: string;
let recoveryCode: string;

beforeEach(async () => {
  run = undefined;
  const action: Action = { name: "demands", onExecutePostLogin: (event, api) => run?.(event, api) };
  service = await openMfaService({ actions: [action] });
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
