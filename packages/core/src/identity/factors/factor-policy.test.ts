import { expect, test } from "vitest";
import { multifactorAcr, phishingResistantAcr } from "../../model/factors/acr.ts";
import type { FactorType, TenantFactor } from "../../model/factors/factor-types.ts";
import { multifactorSettings, type MultifactorSettings } from "../../model/factors/multifactor.ts";
import { changeDemand, decideFactor, type FactorDecision, type FactorSituation } from "./factor-policy.ts";

const defaults = multifactorSettings({ multifactor: {}, settings: {} });

function settings(policies: MultifactorSettings["policies"], enabled: readonly TenantFactor[]): MultifactorSettings {
  const on = Object.fromEntries(enabled.map((name) => [name, true]));
  return { ...defaults, policies, factors: { ...defaults.factors, ...on } };
}

const everyFactor: readonly TenantFactor[] = ["otp", "sms", "email", "recovery-code", "webauthn-roaming", "webauthn-platform"];
const always = settings(["all-applications"], everyFactor);
const never = settings([], everyFactor);

const now = 1_000_000_000;
const passed = (...types: readonly FactorType[]): FactorSituation["passed"] => types.map((type) => ({ type, at: now }));

const plain: FactorSituation = {
  settings: always,
  enrolled: [],
  hasMailbox: true,
  first: { method: "pwd", at: now },
  passed: [],
  passedNow: [],
  usedChannels: [],
  now,
  isBrowserTrusted: false,
  acrs: [],
  demands: [],
  available: ["totp", "phone", "email", "recovery-code", "webauthn-roaming", "webauthn-platform", "passkey"],
};

const sufficient: FactorDecision = { kind: "sufficient" };
const unmet = (by: Extract<FactorDecision, { kind: "unmet" }>["by"] = "policy"): FactorDecision => ({ kind: "unmet", by });
const challenge = (...types: Extract<FactorDecision, { kind: "challenge" }>["types"]): FactorDecision => ({ kind: "challenge", types });
const enroll = (...types: Extract<FactorDecision, { kind: "enroll" }>["types"]): FactorDecision => ({ kind: "enroll", types });

const cases: readonly (readonly [name: string, situation: Partial<FactorSituation>, decision: FactorDecision])[] = [
  ["asks for nothing without a policy", { settings: never }, sufficient],
  ["asks for nothing without a policy, even if a factor is enrolled", { settings: never, enrolled: ["totp"] }, sufficient],
  ["requires a factor to be added", {}, enroll("webauthn-roaming", "totp", "phone")],
  ["treats the policy 'confidence-score' like 'all-applications'", { settings: settings(["confidence-score"], ["otp"]) }, enroll("totp")],
  ["has no effect if the tenant enables no factor", { settings: settings(["all-applications"], []) }, sufficient],
  [
    "fails if only factors are enabled that protect no account alone",
    { settings: settings(["all-applications"], ["email", "recovery-code", "webauthn-platform"]) },
    unmet(),
  ],
  [
    "fails if the server can use no factor that is enabled",
    { settings: settings(["all-applications"], ["sms"]), available: ["totp"] },
    unmet(),
  ],
  ["does not offer a factor that the server cannot deliver", { available: ["totp", "recovery-code"] }, enroll("totp")],
  [
    "offers the strongest factor first",
    { enrolled: ["phone", "recovery-code", "totp"] },
    challenge("totp", "phone", "email", "recovery-code"),
  ],
  [
    "offers no code by email after a first factor by email",
    { enrolled: ["totp"], first: { method: "otp", channels: ["mira@example.com"], at: now }, usedChannels: ["email"] },
    challenge("totp"),
  ],
  [
    "offers no code to the phone through which the first factor went",
    { enrolled: ["phone", "totp"], first: { method: "otp", channels: ["+4512345678"], at: now }, usedChannels: ["phone"] },
    challenge("totp", "email"),
  ],
  [
    "fails if the user's only factor is the channel of the first one, and adds no other factor",
    { enrolled: ["phone"], hasMailbox: false, first: { method: "otp", channels: ["+4512345678"], at: now }, usedChannels: ["phone"] },
    unmet(),
  ],
  [
    "accepts the recovery code if the codes of the only factor go through the channel of the first one",
    { enrolled: ["phone", "recovery-code"], hasMailbox: false, first: { method: "otp", at: now }, usedChannels: ["phone"] },
    challenge("recovery-code"),
  ],
  [
    "asks for the first factor again if it is too old to add a factor",
    { first: { method: "pwd", at: now - 15 * 60_000 } },
    { kind: "sign-in-again" },
  ],
  [
    "asks for the first factor again if its time is not known",
    { first: { method: "federated", at: undefined } },
    { kind: "sign-in-again" },
  ],
  [
    "adds a factor in an old session after another factor",
    {
      settings: never,
      first: { method: "pwd", at: 0 },
      enrolled: ["totp"],
      passed: passed("totp"),
      acrs: [phishingResistantAcr],
    },
    enroll("webauthn-roaming"),
  ],
  [
    "adds no factor after a code by email",
    { settings: never, enrolled: ["totp"], passed: passed("email"), acrs: [phishingResistantAcr] },
    challenge("totp"),
  ],
  [
    "adds no factor after a factor of more than fifteen minutes ago",
    { settings: never, enrolled: ["totp"], passed: [{ type: "totp", at: now - 15 * 60_000 }], acrs: [phishingResistantAcr] },
    challenge("totp"),
  ],
  [
    "does not accept a code by email for a change of factors",
    { settings: never, enrolled: ["totp"], passed: passed("email"), demands: [changeDemand] },
    challenge("totp"),
  ],
  ["asks a user without factors for none before a change of factors", { settings: never, demands: [changeDemand] }, sufficient],
  [
    "accepts a passkey that verified the user for a change of factors",
    { settings: never, enrolled: ["totp"], first: { method: "passkey", userVerified: true, at: now }, demands: [changeDemand] },
    sufficient,
  ],
  [
    "accepts no such passkey for a change if it does not count as a factor",
    {
      settings: { ...never, passkey_counts_as_factor: false },
      enrolled: ["totp"],
      first: { method: "passkey", userVerified: true, at: now },
      demands: [changeDemand],
    },
    challenge("totp"),
  ],
  [
    "accepts no passkey for two factors if it does not count as a factor",
    {
      settings: { ...never, passkey_counts_as_factor: false },
      enrolled: ["totp"],
      first: { method: "passkey", userVerified: true, at: now },
      acrs: [multifactorAcr],
    },
    challenge("totp", "email"),
  ],
  [
    "accepts a passkey that verified the user as phishing-resistant even if it does not count as a factor",
    {
      settings: { ...never, passkey_counts_as_factor: false },
      first: { method: "passkey", userVerified: true, at: now },
      acrs: [phishingResistantAcr],
    },
    sufficient,
  ],
  ["offers no code by email to an unverified address", { enrolled: ["totp"], hasMailbox: false }, challenge("totp")],
  ["does not accept email alone", { enrolled: ["email"] }, enroll("webauthn-roaming", "totp", "phone")],
  ["does not accept a recovery code alone", { enrolled: ["recovery-code"] }, enroll("webauthn-roaming", "totp", "phone")],
  [
    "ignores an enrolled factor that the tenant disabled",
    { settings: settings(["all-applications"], ["sms"]), enrolled: ["totp"] },
    enroll("phone"),
  ],
  ["fails if the server cannot use the user's only factor now", { enrolled: ["phone"], available: ["totp"] }, unmet()],
  ["is satisfied by a passed factor", { enrolled: ["totp"], passed: passed("totp") }, sufficient],
  ["is satisfied by a trusted browser", { enrolled: ["totp"], isBrowserTrusted: true }, sufficient],
  ["is satisfied by a passkey that verified the user", { first: { method: "passkey", userVerified: true, at: now } }, sufficient],
  [
    "is not satisfied by a passkey without user verification",
    { enrolled: ["totp"], first: { method: "passkey", userVerified: false, at: now } },
    challenge("totp", "email"),
  ],
  [
    "asks for a factor after a passkey if the tenant says so",
    {
      settings: { ...always, passkey_counts_as_factor: false },
      enrolled: ["totp"],
      first: { method: "passkey", userVerified: true, at: now },
    },
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
    unmet("client"),
  ],
  [
    "asks for a factor because of a voluntary acr",
    { settings: never, enrolled: ["totp"], acrs: [multifactorAcr], isAcrVoluntary: true },
    challenge("totp", "email"),
  ],
  [
    "asks the user to add a factor because of a voluntary acr",
    { settings: settings([], ["otp"]), acrs: [phishingResistantAcr, multifactorAcr], isAcrVoluntary: true },
    enroll("totp"),
  ],
  [
    "ignores a voluntary acr if the user can neither use nor add a factor",
    { settings: settings([], []), acrs: [multifactorAcr], isAcrVoluntary: true },
    sufficient,
  ],
  [
    "ignores a voluntary acr if the server cannot use the user's factors",
    { settings: never, enrolled: ["phone"], hasMailbox: false, available: ["totp"], acrs: [multifactorAcr], isAcrVoluntary: true },
    sufficient,
  ],
  [
    "ignores a voluntary acr if the user would have to add a factor while factors are frozen",
    { settings: never, acrs: [multifactorAcr], isAcrVoluntary: true, isFrozen: true },
    sufficient,
  ],
  [
    "fails because of the policy, also if the acr is voluntary",
    { settings: settings(["all-applications"], ["sms"]), available: ["totp"], acrs: [multifactorAcr], isAcrVoluntary: true },
    unmet(),
  ],
  [
    "accepts no weaker factor if the client requires a phishing-resistant one",
    { settings: never, enrolled: ["totp"], passed: passed("totp"), acrs: [phishingResistantAcr] },
    enroll("webauthn-roaming"),
  ],
  [
    "requires an enrolled factor that permits changes before a stronger one is added",
    { settings: never, enrolled: ["totp"], acrs: [phishingResistantAcr] },
    challenge("totp"),
  ],
  [
    "fails if no phishing-resistant factor is available",
    { settings: settings([], ["otp"]), enrolled: ["totp"], acrs: [phishingResistantAcr] },
    unmet("client"),
  ],
  [
    "accepts a stronger factor that was passed",
    { settings: never, enrolled: ["webauthn-roaming"], passed: passed("webauthn-roaming"), acrs: [multifactorAcr] },
    sufficient,
  ],
  [
    "asks for the first of several values that can be met",
    { settings: settings([], ["otp"]), enrolled: ["totp"], acrs: [phishingResistantAcr, multifactorAcr] },
    challenge("totp"),
  ],
  [
    "is satisfied if one of several values is met",
    { settings: never, enrolled: ["totp"], passed: passed("totp"), acrs: [phishingResistantAcr, multifactorAcr] },
    sufficient,
  ],
  [
    "accepts no recovery code if an Action requires another factor",
    {
      settings: never,
      enrolled: ["totp", "recovery-code"],
      passed: passed("recovery-code"),
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
      passed: passed("totp"),
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
    challenge("totp"),
  ],
  [
    "adds the factor that an Action requires",
    {
      settings: never,
      enrolled: ["totp"],
      passed: passed("totp"),
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
