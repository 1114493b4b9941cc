import { expect, test } from "vitest";
import { tenantFactorSchema } from "./factor-types.ts";
import { changeMultifactor, multifactorSettings, setGuardianSettingsSchema } from "./multifactor.ts";

test("no default requires or enables a factor", () => {
  const { policies, factors, ...rest } = multifactorSettings({ multifactor: {}, settings: {} });
  expect(policies).toEqual([]);
  expect(factors).toEqual(Object.fromEntries(tenantFactorSchema.options.map((factor) => [factor, false])));
  expect(rest).toEqual({
    phone: { message_types: ["sms"], provider: "auth0", templates: undefined, codes: { otp_length: 6, otp_expiration_time: 300 } },
    email: { codes: { otp_length: 6, otp_expiration_time: 300 } },
    push: { provider: "guardian" },
    webauthn: { roaming: { userVerification: "discouraged", overrideRelyingParty: false }, platform: { overrideRelyingParty: false } },
    remember: {
      display_remember_me_checkbox: true,
      remember_me_default_value: false,
      mfa_session_inactivity_timeout: 604_800,
      mfa_session_overall_timeout: 2_592_000,
    },
    trustEndedAt: 0,
    passkey_counts_as_factor: true,
  });
});

test("an update stores only what it changes, so that later defaults still apply", () => {
  const first = changeMultifactor({ multifactor: { later: 1 } }, { factors: { otp: true } });
  expect(first).toEqual({ later: 1, factors: { otp: true } });
  const second = changeMultifactor({ multifactor: first }, { factors: { sms: true }, phone: { message_types: ["voice"] } });
  const third = changeMultifactor({ multifactor: second }, { phone: { provider: "twilio" }, policies: ["all-applications"] });
  expect(third).toEqual({
    later: 1,
    factors: { otp: true, sms: true },
    phone: { message_types: ["voice"], provider: "twilio" },
    policies: ["all-applications"],
  });
  expect(multifactorSettings({ multifactor: third, settings: { passkey_counts_as_factor: false } })).toMatchObject({
    policies: ["all-applications"],
    factors: { otp: true, sms: true, email: false },
    phone: { message_types: ["voice"], provider: "twilio", codes: { otp_length: 6 } },
    passkey_counts_as_factor: false,
  });
});

test("rejects an idle timeout of remembered browsers that is longer than the overall timeout", () => {
  const body = { display_remember_me_checkbox: true, remember_me_default_value: true, mfa_session_overall_timeout: 7200 };
  expect(setGuardianSettingsSchema.safeParse({ ...body, mfa_session_inactivity_timeout: 7200 }).success).toBe(true);
  expect(setGuardianSettingsSchema.safeParse({ ...body, mfa_session_inactivity_timeout: 7201 }).success).toBe(false);
});
