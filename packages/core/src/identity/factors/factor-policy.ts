import { multifactorAcr, phishingResistantAcr, type Acr } from "../../model/factors/acr.ts";
import { toTenantFactor, type FactorType } from "../../model/factors/factor-types.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";

/** How the user authenticated before any second factor. */
export interface FirstFactor {
  readonly method: "pwd" | "otp" | "federated" | "passkey";
  /** Whether the authentication proved that the user can read the account's mail. */
  readonly provedMailbox?: boolean;
  /** Whether the passkey verified the user (WebAuthn flag UV). */
  readonly userVerified?: boolean;
}

/** A factor that an Action requires. */
export interface FactorDemand {
  /** The factors that satisfy the demand. Omitted: any factor. */
  readonly types?: readonly FactorType[];
  /** Whether a browser that the user trusts satisfies the demand. */
  readonly allowsTrustedBrowser: boolean;
  /**
   * `challenge`: the user must pass one of the factors. `enroll`: the user must add one of the factors, which are not
   * enrolled yet; a user who has a factor passes it first. `either`: the user must pass one of the factors, or add one if
   * they can use none.
   */
  readonly action: "challenge" | "enroll" | "either";
  /** Whether the demand has no effect if the user has no factor. Default: the sign-in fails then. */
  readonly isOptional?: true;
}

/**
 * The demand of a request for tokens of the MFA API, with which the client can change the user's factors: a user who has
 * a factor must pass it in this login.
 */
export const changeDemand: FactorDemand = { action: "challenge", allowsTrustedBrowser: false, isOptional: true };

/** Everything that decides whether a user must pass a factor. */
export interface FactorSituation {
  readonly settings: MultifactorSettings;
  /** The types of the user's confirmed factors. */
  readonly enrolled: readonly FactorType[];
  /** Whether codes can be sent to the account's verified email address. */
  readonly hasMailbox: boolean;
  readonly first: FirstFactor;
  /** The types of the factors that the user passed in this login or this session. */
  readonly passed: readonly FactorType[];
  /** The part of `passed` that the user passed in this login. Only these factors satisfy the demands of Actions. */
  readonly passedNow: readonly FactorType[];
  readonly isBrowserTrusted: boolean;
  /** The `acr` values of which the client requires one, in the client's order. Empty: none. */
  readonly acrs: readonly Acr[];
  /** The factors that Actions require. All of them must be satisfied. */
  readonly demands: readonly FactorDemand[];
  /** The factors that this server can use now: for example, `phone` only if a sender of text messages is configured. */
  readonly available: readonly FactorType[];
  /** Whether the user cannot add a factor now. Default false. */
  readonly isFrozen?: boolean;
  /** Whether users of the connection can sign in with passkeys. Default false: the user cannot add one. */
  readonly hasPasskeys?: boolean;
}

/**
 * What the user must do. `challenge`: pass one of these enrolled factors. `enroll`: add one of these factors. `unmet`:
 * the client or an Action requires a factor that the user can neither use nor add.
 */
export type FactorDecision =
  | { readonly kind: "sufficient" }
  | { readonly kind: "challenge"; readonly types: readonly FactorType[] }
  | { readonly kind: "enroll"; readonly types: readonly FactorType[] }
  | { readonly kind: "unmet" };

/** The order in which factors are offered: the strongest first. */
const strength: readonly FactorType[] = ["passkey", "webauthn-roaming", "webauthn-platform", "totp", "phone", "email", "recovery-code"];

/** The factors that users can have without another factor. */
const independent: readonly FactorType[] = ["passkey", "webauthn-roaming", "totp", "phone"];

/** The factors that a phishing site cannot relay. The MFA API cannot use them. */
const phishingResistant: readonly FactorType[] = ["passkey", "webauthn-roaming", "webauthn-platform"];

interface Requirement {
  readonly accepts: readonly FactorType[];
  readonly allowsTrustedBrowser: boolean;
  /** Whether a first factor that already combines two factors (a passkey that verified the user) is sufficient. */
  readonly allowsPasskey: boolean;
  /** Whether only factors count that the user passed in this login. */
  readonly isForThisLogin: boolean;
  readonly action: FactorDemand["action"];
  /** Whether the requirement has no effect if the user can neither use nor add a factor. */
  readonly isOptional: boolean;
}

/**
 * Decides whether a user must pass a second factor before a session starts or tokens are issued. All sign-ins and all
 * grants use this function. It is pure: a table test covers it.
 */
export function decideFactor(situation: FactorSituation): FactorDecision {
  for (const requirement of requirementsOf(situation)) {
    const decision = decide(situation, requirement);
    if (decision.kind !== "sufficient") return decision;
  }
  return { kind: "sufficient" };
}

/** Returns whether the tenant requires a factor at every login. */
export function requiresFactor({ policies }: MultifactorSettings): boolean {
  return policies.length > 0;
}

function requirementsOf(situation: FactorSituation): readonly Requirement[] {
  const { settings, demands } = situation;
  const policy: Requirement = {
    accepts: strength,
    allowsTrustedBrowser: true,
    allowsPasskey: settings.passkey_counts_as_factor,
    isForThisLogin: false,
    action: "either",
    isOptional: true,
  };
  return [
    ...(requiresFactor(settings) ? [policy] : []),
    ...requiredByClient(situation),
    ...demands.map(({ types = strength, allowsTrustedBrowser, action, isOptional = false }): Requirement => ({
      accepts: types,
      allowsTrustedBrowser,
      allowsPasskey: false,
      isForThisLogin: true,
      action,
      isOptional,
    })),
  ];
}

const accepted: { readonly [acr in Acr]: readonly FactorType[] } = {
  [multifactorAcr]: strength,
  [phishingResistantAcr]: phishingResistant,
};

/**
 * Returns the requirement of the `acr` values: nothing if one of them is satisfied already, otherwise the first one that
 * the user can satisfy.
 */
function requiredByClient(situation: FactorSituation): readonly Requirement[] {
  const requirements = situation.acrs.map((acr): Requirement => ({
    accepts: accepted[acr],
    allowsTrustedBrowser: false,
    allowsPasskey: true,
    isForThisLogin: false,
    action: "either",
    isOptional: false,
  }));
  const decisions = requirements.map((requirement) => decide(situation, requirement).kind);
  if (decisions.includes("sufficient")) return [];
  const chosen = decisions.findIndex((kind) => kind !== "unmet");
  return requirements.slice(Math.max(chosen, 0), Math.max(chosen, 0) + 1);
}

function decide(situation: FactorSituation, requirement: Requirement): FactorDecision {
  const { first, passed, passedNow, isBrowserTrusted } = situation;
  const { accepts, action } = requirement;
  const allUsable = usableFactors(situation);
  const allAddable = addableFactors(situation);
  const usable = accepts.filter((type) => allUsable.includes(type));
  const addable = accepts.filter((type) => allAddable.includes(type));
  const counted = requirement.isForThisLogin ? passedNow : passed;
  // A user who has a factor must pass it before they add another one.
  const add = (): FactorDecision =>
    passedNow.length === 0 && allUsable.length > 0 ? { kind: "challenge", types: allUsable } : { kind: "enroll", types: addable };
  if (counted.some((type) => accepts.includes(type))) return { kind: "sufficient" };
  if (action === "enroll") {
    if (addable.length === 0) return { kind: "sufficient" };
    // A user who cannot add a factor now passes an enrolled one instead.
    return situation.isFrozen === true && passedNow.length > 0 ? { kind: "sufficient" } : add();
  }
  if (requirement.allowsPasskey && first.method === "passkey" && first.userVerified === true) return { kind: "sufficient" };
  if (requirement.allowsTrustedBrowser && isBrowserTrusted) return { kind: "sufficient" };
  if (usable.length > 0) return { kind: "challenge", types: usable };
  if (hasUnavailableFactor(situation)) return { kind: "unmet" };
  if (action === "either" && addable.length > 0) return add();
  return requirement.isOptional ? { kind: "sufficient" } : { kind: "unmet" };
}

/**
 * Returns the enrolled factors that the user can use now, the strongest first. A verified email address counts without
 * enrollment, but only next to an independent factor, and never if the first factor came through the same mailbox.
 */
export function usableFactors(situation: FactorSituation): readonly FactorType[] {
  const { enrolled, first, hasMailbox } = situation;
  const others = enrolled.filter((type) => type !== "email" && isUsable(situation, type));
  if (!others.some((type) => independent.includes(type))) return others.filter((type) => type !== "recovery-code").toSorted(byStrength);
  const isMailAllowed = (hasMailbox || enrolled.includes("email")) && first.provedMailbox !== true && isUsable(situation, "email");
  return [...others, ...(isMailAllowed ? (["email"] as const) : [])].toSorted(byStrength);
}

/**
 * Returns the factors that the user can add now and does not have, the strongest first. A passkey is one of them if it
 * suffices at the next login.
 */
export function addableFactors(situation: FactorSituation): readonly FactorType[] {
  const { enrolled, hasPasskeys = false, settings } = situation;
  const isPasskeyOffered = hasPasskeys && settings.passkey_counts_as_factor && isUsable(situation, "passkey");
  return [...(isPasskeyOffered ? (["passkey"] as const) : []), ...enrollableFactors(situation)].filter((type) => !enrolled.includes(type));
}

/** Returns the factors that a user can add without another factor, the strongest first. Passkeys are added in another way. */
export function enrollableFactors(situation: Pick<FactorSituation, "settings" | "available">): readonly FactorType[] {
  return independent.filter((type) => type !== "passkey" && isUsable(situation, type)).toSorted(byStrength);
}

/**
 * Returns the factors that the user can add with the MFA API, the strongest first, also several of one type. An email address can be added next to
 * an independent factor, because it never protects an account alone.
 */
export function addableByApi(situation: FactorSituation): readonly FactorType[] {
  const { enrolled } = situation;
  const isMailAllowed = isUsable(situation, "email") && enrolled.some((type) => independent.includes(type));
  return [...enrollableFactors(situation), ...(isMailAllowed ? (["email"] as const) : [])].filter(
    (type) => !phishingResistant.includes(type),
  );
}

/** Whether the user has a confirmed factor that protects the account without another one. */
export function hasIndependentFactor(enrolled: readonly string[]): boolean {
  return independent.some((type) => enrolled.includes(type));
}

/** Whether the tenant has enabled the factor and the server can use it. */
function isUsable(situation: Pick<FactorSituation, "settings" | "available">, type: FactorType): boolean {
  return situation.available.includes(type) && isFactorEnabled(situation.settings, type);
}

/** Whether the tenant has enabled the factor. Passkeys are enabled by their connection. */
export function isFactorEnabled({ factors }: Pick<MultifactorSettings, "factors">, type: FactorType): boolean {
  const factor = toTenantFactor(type);
  return factor === undefined || factors[factor];
}

/**
 * Whether the server cannot use any of the user's factors now, although the tenant has enabled one: for example, because
 * the sender of text messages was removed. The first factor alone must not be sufficient then, and must not add another
 * factor.
 */
export function hasUnavailableFactor(situation: FactorSituation): boolean {
  const { enrolled, settings } = situation;
  return usableFactors(situation).length === 0 && enrolled.some((type) => independent.includes(type) && isFactorEnabled(settings, type));
}

function byStrength(a: FactorType, b: FactorType): number {
  return strength.indexOf(a) - strength.indexOf(b);
}
