import { expect, test } from "vitest";
import { multifactorAcr, phishingResistantAcr } from "../../model/factors/acr.ts";
import type { TenantFactor } from "../../model/factors/factor-types.ts";
import { multifactorSettings, type MultifactorSettings } from "../../model/factors/multifactor.ts";
import { decideFactor, type FactorDecision, type FactorSituation } from "./factor-policy.ts";

const defaults = multifactorSettings({ multifactor: null, settings: {} });

function settings(policies: MultifactorSettings["policies"], enabled: readonly TenantFactor[]): MultifactorSettings {
  const on = Object.fromEntries(enabled.map((name) => [name, true]));
  return { ...defaults, policies, factors: { ...defaults.factors, ...on } };
}

const everyFactor: readonly TenantFactor[] = ["otp", "sms", "email", "recovery-code", "webauthn-roaming", "webauthn-platform"];
const always = settings(["all-applications"], everyFactor);
const never = settings([], everyFactor);

const plain: FactorSituation = {
  settings: always,
  enrolled: [],
  hasMailbox: true,
  first: { method: "pwd" },
  passed: [],
  passedNow: [],
  isBrowserTrusted: false,
  acrs: [],
  demands: [],
  available: ["totp", "phone", "email", "recovery-code", "webauthn-roaming", "webauthn-platform", "passkey"],
};

const sufficient: FactorDecision = { kind: "sufficient" };
const unmet: FactorDecision = { kind: "unmet" };
const challenge = (...types: Extract<FactorDecision, { kind: "challenge" }>["types"]): FactorDecision => ({ kind: "challenge", types });
const enroll = (...types: Extract<FactorDecision, { kind: "enroll" }>["types"]): FactorDecision => ({ kind: "enroll", types });

const cases: readonly (readonly [name: string, situation: Partial<FactorSituation>, decision: FactorDecision])[] = [
  ["asks for nothing without a policy", { settings: never }, sufficient],
  ["asks for nothing without a policy, even if a factor is enrolled", { settings: never, enrolled: ["totp"] }, sufficient],
  ["requires a factor to be added", {}, enroll("webauthn-roaming", "totp", "phone")],
  ["treats the policy 'confidence-score' like 'all-applications'", { settings: settings(["confidence-score"], ["otp"]) }, enroll("totp")],
  ["has no effect if the tenant enables no factor", { settings: settings(["all-applications"], []) }, sufficient],
  [
    "has no effect if only dependent factors are enabled",
    { settings: settings(["all-applications"], ["email", "recovery-code"]) },
    sufficient,
  ],
  ["does not offer a factor that the server cannot deliver", { available: ["totp", "recovery-code"] }, enroll("totp")],
  [
    "offers the strongest factor first",
    { enrolled: ["phone", "recovery-code", "totp"] },
    challenge("totp", "phone", "email", "recovery-code"),
  ],
  [
    "offers no code by email after a first factor by email",
    { enrolled: ["totp"], first: { method: "otp", provedMailbox: true } },
    challenge("totp"),
  ],
  ["offers no code by email to an unverified address", { enrolled: ["totp"], hasMailbox: false }, challenge("totp")],
  ["does not accept email alone", { enrolled: ["email"] }, enroll("webauthn-roaming", "totp", "phone")],
  ["does not accept a recovery code alone", { enrolled: ["recovery-code"] }, enroll("webauthn-roaming", "totp", "phone")],
  [
    "ignores an enrolled factor that the tenant disabled",
    { settings: settings(["all-applications"], ["sms"]), enrolled: ["totp"] },
    enroll("phone"),
  ],
  ["fails if the server cannot use the user's only factor now", { enrolled: ["phone"], available: ["totp"] }, unmet],
  ["is satisfied by a passed factor", { enrolled: ["totp"], passed: ["totp"] }, sufficient],
  ["is satisfied by a trusted browser", { enrolled: ["totp"], isBrowserTrusted: true }, sufficient],
  ["is satisfied by a passkey that verified the user", { first: { method: "passkey", userVerified: true } }, sufficient],
  [
    "is not satisfied by a passkey without user verification",
    { enrolled: ["totp"], first: { method: "passkey", userVerified: false } },
    challenge("totp", "email"),
  ],
  [
    "asks for a factor after a passkey if the tenant says so",
    { settings: { ...always, passkey_counts_as_factor: false }, enrolled: ["totp"], first: { method: "passkey", userVerified: true } },
    challenge("totp", "email"),
  ],
  [
    "asks for a factor if the client requires one",
    { settings: never, enrolled: ["totp"], acrs: [multifactorAcr] },
    challenge("totp", "email"),
  ],
  [
    "ignores a trusted browser if the client requires a factor",
    { enrolled: ["totp"], isBrowserTrusted: true, acrs: [multifactorAcr] },
    challenge("totp", "email"),
  ],
  [
    "fails if the client requires a factor that the user can neither use nor add",
    { settings: settings([], []), acrs: [multifactorAcr] },
    unmet,
  ],
  [
    "accepts no weaker factor if the client requires a phishing-resistant one",
    { settings: never, enrolled: ["totp"], passed: ["totp"], acrs: [phishingResistantAcr] },
    enroll("webauthn-roaming"),
  ],
  [
    "requires an enrolled factor before a stronger one is added",
    { settings: never, enrolled: ["totp"], acrs: [phishingResistantAcr] },
    challenge("totp", "email"),
  ],
  [
    "fails if no phishing-resistant factor is available",
    { settings: settings([], ["otp"]), enrolled: ["totp"], acrs: [phishingResistantAcr] },
    unmet,
  ],
  [
    "accepts a stronger factor that was passed",
    { settings: never, enrolled: ["webauthn-roaming"], passed: ["webauthn-roaming"], acrs: [multifactorAcr] },
    sufficient,
  ],
  [
    "asks for the first of several values that can be met",
    { settings: settings([], ["otp"]), enrolled: ["totp"], acrs: [phishingResistantAcr, multifactorAcr] },
    challenge("totp"),
  ],
  [
    "is satisfied if one of several values is met",
    { settings: never, enrolled: ["totp"], passed: ["totp"], acrs: [phishingResistantAcr, multifactorAcr] },
    sufficient,
  ],
  [
    "accepts no recovery code if an Action requires another factor",
    {
      settings: never,
      enrolled: ["totp", "recovery-code"],
      passed: ["recovery-code"],
      demands: [{ types: ["totp"], allowsTrustedBrowser: false, action: "challenge" }],
    },
    challenge("totp"),
  ],
  [
    "accepts a trusted browser only if the Action allows it",
    { settings: never, enrolled: ["totp"], isBrowserTrusted: true, demands: [{ allowsTrustedBrowser: true, action: "challenge" }] },
    sufficient,
  ],
  [
    "requires the factors of all Actions",
    {
      settings: never,
      enrolled: ["totp", "phone"],
      passed: ["totp"],
      demands: [
        { types: ["totp"], allowsTrustedBrowser: false, action: "challenge" },
        { types: ["phone"], allowsTrustedBrowser: false, action: "challenge" },
      ],
    },
    challenge("phone"),
  ],
  [
    "adds a factor only after an enrolled one was passed",
    { settings: never, enrolled: ["totp"], demands: [{ types: ["phone"], allowsTrustedBrowser: false, action: "enroll" }] },
    challenge("totp", "email"),
  ],
  [
    "adds the factor that an Action requires",
    {
      settings: never,
      enrolled: ["totp"],
      passed: ["totp"],
      demands: [{ types: ["phone"], allowsTrustedBrowser: false, action: "enroll" }],
    },
    enroll("phone"),
  ],
  [
    "adds nothing if all factors that an Action names are enrolled",
    { settings: never, enrolled: ["totp"], demands: [{ types: ["totp"], allowsTrustedBrowser: false, action: "enroll" }] },
    sufficient,
  ],
];

test.each(cases)("%s", (_, situation, decision) => {
  const { passed = [], passedNow = passed } = situation;
  expect(decideFactor({ ...plain, ...situation, passedNow })).toEqual(decision);
});
