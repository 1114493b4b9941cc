import { expect, test } from "vitest";
import type { FactorType, TenantFactor } from "../../model/factors/factor-types.ts";
import type { MultifactorPolicy } from "../../model/factors/multifactor.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { hasUsableFactor, policyProblem, sendableFactors } from "./policy-problem.ts";

const sender = { send: async () => {} };
const bare = sendableFactors({ mail: undefined, sms: undefined });
const withSenders = sendableFactors({ mail: sender, sms: sender });
const keys: readonly FactorType[] = ["webauthn-roaming", "webauthn-platform"];

function settings(policies: readonly MultifactorPolicy[], enabled: readonly TenantFactor[]) {
  const factors = Object.fromEntries(enabled.map((factor) => [factor, true]));
  return multifactorSettings({ multifactor: { policies: [...policies], factors }, settings: {} });
}

test.each<[enabled: readonly TenantFactor[], available: readonly FactorType[], problem: string | undefined]>([
  [[], [...withSenders, ...keys], "no-factor-enabled"],
  [[], [...withSenders, ...keys, "passkey"], "no-factor-enabled"],
  [["otp"], bare, undefined],
  [["sms"], bare, "no-usable-factor"],
  [["sms"], withSenders, undefined],
  [["sms", "otp"], bare, undefined],
  [["email"], [...withSenders, ...keys], "no-usable-factor"],
  [["recovery-code"], [...withSenders, ...keys], "no-usable-factor"],
  [["webauthn-platform"], [...withSenders, ...keys], "no-usable-factor"],
  [["email", "recovery-code", "webauthn-platform"], [...withSenders, ...keys], "no-usable-factor"],
  [["push-notification", "duo"], [...withSenders, ...keys], "no-usable-factor"],
  [["webauthn-roaming"], withSenders, "no-usable-factor"],
  [["webauthn-roaming"], [...bare, ...keys], undefined],
  [["email"], [...withSenders, ...keys, "passkey"], undefined],
])("a policy with the factors %j, of which the server can use %j, has the problem %s", (enabled, available, problem) => {
  expect(policyProblem(settings(["all-applications"], enabled), available)).toBe(problem);
  expect(policyProblem(settings(["confidence-score"], enabled), available)).toBe(problem);
  expect(policyProblem(settings([], enabled), available)).toBeUndefined();
});

test.each<[enrolled: readonly string[], available: readonly FactorType[], isUsable: boolean]>([
  [[], [...withSenders, ...keys], false],
  [["phone"], withSenders, true],
  [["phone", "recovery-code"], bare, false],
  // The tenant does not enable it.
  [["totp"], withSenders, false],
  [["email", "recovery-code"], withSenders, false],
  [["webauthn-roaming"], withSenders, false],
  [["webauthn-roaming"], [...withSenders, ...keys], true],
  [["passkey"], [...bare, ...keys], false],
  [["passkey"], [...bare, ...keys, "passkey"], true],
])("the factors %j, of which the server can use %j, are usable: %s", (enrolled, available, isUsable) => {
  const enabled = settings([], ["sms", "email", "recovery-code", "webauthn-roaming"]);
  expect(hasUsableFactor(enabled, available, enrolled)).toBe(isUsable);
});
