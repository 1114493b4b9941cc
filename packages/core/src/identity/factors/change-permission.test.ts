import { describe, expect, test } from "vitest";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { canRemoveFactor, changeWindow, decideChange, type ChangeSituation } from "./change-permission.ts";

const now = 1_000_000_000;
const recent = now - changeWindow + 1;
const old = now - changeWindow;

const situation: ChangeSituation = {
  now,
  isFrozen: false,
  usable: [],
  hasUnavailableFactor: false,
  passed: [],
  authenticatedAt: now,
  isTwoFactors: false,
};

describe("a user may change their factors", () => {
  const enrolled = { usable: ["webauthn-roaming", "totp", "email"] } as const;
  const challenge = { kind: "challenge", types: ["webauthn-roaming", "totp"] };
  test.each<[string, Partial<ChangeSituation>, object]>([
    ["without a factor, after a recent sign-in", { authenticatedAt: recent }, { kind: "allowed" }],
    ["not without a factor, after an old sign-in", { authenticatedAt: old }, { kind: "sign-in-again" }],
    ["not without a factor, if the time of the sign-in is unknown", { authenticatedAt: undefined }, { kind: "sign-in-again" }],
    ["not with a factor that was not passed, even after a recent sign-in", enrolled, challenge],
    ["with a factor that was passed recently", { ...enrolled, passed: [{ type: "totp", at: recent }] }, { kind: "allowed" }],
    ["not with a factor that was passed too long ago", { ...enrolled, passed: [{ type: "totp", at: old }] }, challenge],
    ["not with a code by email", { ...enrolled, passed: [{ type: "email", at: now }] }, challenge],
    ["with a recovery code", { ...enrolled, passed: [{ type: "recovery-code", at: recent }] }, { kind: "allowed" }],
    [
      "with a recent factor that was removed since, after an old sign-in",
      { authenticatedAt: old, passed: [{ type: "totp", at: recent }] },
      { kind: "allowed" },
    ],
    ["after a recent sign-in with a passkey that verified the user", { ...enrolled, isTwoFactors: true }, { kind: "allowed" }],
    ["not after an old sign-in with such a passkey", { ...enrolled, isTwoFactors: true, authenticatedAt: old }, challenge],
    ["not if their factors cannot be used here", { hasUnavailableFactor: true }, { kind: "unavailable" }],
    ["not while the factors are frozen", { isFrozen: true, passed: [{ type: "totp", at: now }] }, { kind: "frozen" }],
  ])("%s", (_, given, expected) => {
    expect(decideChange({ ...situation, ...given })).toEqual(expected);
  });
});

describe("the removal of a factor", () => {
  const settings = (policies: readonly string[]) =>
    multifactorSettings({ multifactor: { policies, factors: { otp: true, sms: true, email: true } }, settings: {} });
  const [app, phone, email, code] = ["totp", "phone", "email", "recovery-code"].map((type) => ({ id: type, type }));
  test.each([
    ["is possible if another one stays", app, [app, phone], ["all-applications"], { isLast: false }],
    ["is possible without a policy", app, [app], [], { isLast: true }],
    ["is not possible if the policy requires it", app, [app], ["all-applications"], "required"],
    ["does not count a code by email and a recovery code", app, [app, email, code], ["all-applications"], "required"],
    ["is possible for a code by email", email, [app, email], ["all-applications"], { isLast: false }],
    ["is not possible for the recovery code", code, [app, code], [], "absent"],
  ])("%s", (_, factor = { id: "", type: "" }, factors, policies, expected) => {
    const listed = factors.filter((one) => one !== undefined);
    expect(canRemoveFactor(factor, listed, settings(policies))).toEqual(expected);
  });

  test("does not count a factor that the tenant has disabled", () => {
    const disabled = multifactorSettings({ multifactor: { policies: ["all-applications"], factors: { otp: true } }, settings: {} });
    expect(
      canRemoveFactor(
        { id: "a", type: "totp" },
        [
          { id: "a", type: "totp" },
          { id: "b", type: "phone" },
        ],
        disabled,
      ),
    ).toBe("required");
  });
});
