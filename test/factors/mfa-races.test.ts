import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "@postern/kysely/url";
import type { ApiResponse } from "../support/postern.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { openMfaService, otpGrant, recoveryGrant, type MfaService } from "./mfa-api-support.ts";

/** Parallel requests of the MFA grants, on SQLite. */

let service: MfaService;
let close: () => Promise<void>;

beforeAll(async () => {
  const data = await openDatabase("sqlite::memory:");
  await data.migrate();
  service = await openMfaService({ data });
  close = () => service.postern.close();
});
afterAll(async () => {
  await close();
});

const many = Array.from({ length: 32 }, (_, i) => i);

const statuses = (responses: readonly ApiResponse[]): readonly number[] => responses.map(({ status }) => status);

function expectOneWinner(responses: readonly ApiResponse[]): void {
  expect(statuses(responses).filter((status) => status === 200)).toHaveLength(1);
  expect(statuses(responses).every((status) => [200, 401, 403, 429, 503].includes(status))).toBe(true);
}

test("issues tokens once for thirty-two parallel uses of one mfa_token and one code", async () => {
  const account = await service.addUser("one-token@example.test");
  const { secret } = await service.enrollApp(account);
  const mfa_token = stringMember(await service.begin(account), "mfa_token");
  const otp = service.codeNow(secret);
  expectOneWinner(await Promise.all(many.map(() => service.grant(otpGrant, { mfa_token, otp }))));
  const active = await service.data.collections.sessions.count({ tenant_id: "main", user_id: account.userId });
  expect(active).toBe(2);
});

test("accepts the code of one time step once, for thirty-two mfa_tokens in parallel", async () => {
  const account = await service.addUser("one-step@example.test");
  const { secret } = await service.enrollApp(account);
  const tokens = await Promise.all(many.map(async () => stringMember(await service.begin(account), "mfa_token")));
  const otp = service.codeNow(secret);
  expectOneWinner(await Promise.all(tokens.map((mfa_token) => service.grant(otpGrant, { mfa_token, otp }))));
});

test("accepts one recovery code once, for thirty-two mfa_tokens in parallel", async () => {
  const account = await service.addUser("one-recovery@example.test");
  const { recoveryCode } = await service.enrollApp(account);
  const tokens = await Promise.all(many.map(async () => stringMember(await service.begin(account), "mfa_token")));
  const recovery_code = recoveryCode;
  expectOneWinner(await Promise.all(tokens.map((mfa_token) => service.grant(recoveryGrant, { mfa_token, recovery_code }))));
});

test("issues tokens once for parallel uses of one mfa_token with different factors", async () => {
  const account = await service.addUser("two-factors@example.test");
  const { secret, recoveryCode } = await service.enrollApp(account);
  const mfa_token = stringMember(await service.begin(account), "mfa_token");
  const responses = await Promise.all([
    service.grant(otpGrant, { mfa_token, otp: service.codeNow(secret) }),
    service.grant(recoveryGrant, { mfa_token, recovery_code: recoveryCode }),
  ]);
  expect(statuses(responses).toSorted((a, b) => a - b)).toEqual([200, 401]);
  jsonBody(responses.find(({ status }) => status === 200) ?? responses[0]);
});
