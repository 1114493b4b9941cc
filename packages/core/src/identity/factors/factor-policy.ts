import { multifactorAcr, phishingResistantAcr, type Acr } from "../../model/factors/acr.ts";
import { factorKind, factorsByStrength, factorsThat, type FactorType } from "../../model/factors/factor-types.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";
import { decideChange, isRecent, type ChangePermission } from "./change-permission.ts";
import { combinesTwoFactors, isFactorEnabled, isPolicyInForce, type FirstFactor, type PassedFactor } from "./factor-uses.ts";

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
  /** Whether a recent first factor that combines two factors satisfies the demand. Default: it does not. */
  readonly allowsPasskey?: true;
}

/** The demand of a change that a user with factors confirms in the same login, such as linking another account. */
export const confirmationDemand: FactorDemand = {
  types: factorsThat("permitsChanges"),
  action: "either",
  allowsTrustedBrowser: false,
  allowsPasskey: true,
};

/**
 * The demand of a request for tokens of the MFA API, with which the client can change the user's factors: a user who has
 * a factor must pass it in this login.
 */
export const changeDemand: FactorDemand = { ...confirmationDemand, action: "challenge", isOptional: true };

/** Everything that decides whether a user must pass a factor. */
export interface FactorSituation {
  readonly settings: MultifactorSettings;
  /** The types of the user's confirmed factors. */
  readonly enrolled: readonly FactorType[];
  /** Whether codes can be sent to the account's verified email address. */
  readonly hasMailbox: boolean;
  readonly first: FirstFactor;
  /** The factors that the user passed in this login or this session. */
  readonly passed: readonly PassedFactor[];
  /** The part of `passed` that the user passed in this login. Only these factors satisfy the demands of Actions. */
  readonly passedNow: readonly PassedFactor[];
  readonly isBrowserTrusted: boolean;
  /** The `acr` values of which the client requires one, in the client's order. Empty: none. */
  readonly acrs: readonly Acr[];
  /** Whether `acrs` has no effect if the user can satisfy none of them. Default false: the sign-in fails then. */
  readonly isAcrVoluntary?: boolean;
  /** The factors that Actions require. All of them must be satisfied. */
  readonly demands: readonly FactorDemand[];
  /** The factors that this server can use now: for example, `phone` only if a sender of text messages is configured. */
  readonly available: readonly FactorType[];
  /**
   * The types whose codes would only go through channels of the first factor (`FirstFactor.channels`). One channel is one
   * factor, so these types cannot be used.
   */
  readonly usedChannels: readonly FactorType[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the user cannot add a factor now. Default false. */
  readonly isFrozen?: boolean;
  /** Whether users of the connection can sign in with passkeys. Default false: the user cannot add one. */
  readonly hasPasskeys?: boolean;
}

/**
 * What the user must do. `challenge`: pass one of these enrolled factors. `enroll`: add one of these factors.
 * `sign-in-again`: pass the first factor again, because it is too old to add a factor. `unmet`: the tenant, the client or
 * an Action requires a factor that the user can neither use nor add; `by` is the one that requires it.
 */
export type FactorDecision =
  | { readonly kind: "sufficient" }
  | { readonly kind: "sign-in-again" }
  | { readonly kind: "challenge"; readonly types: readonly FactorType[] }
  | { readonly kind: "enroll"; readonly types: readonly FactorType[] }
  | { readonly kind: "unmet"; readonly by: Requirement["by"] };

interface Requirement {
  readonly accepts: readonly FactorType[];
  readonly allowsTrustedBrowser: boolean;
  /** Whether the first factor, a passkey that verified the user, is sufficient. */
  readonly allowsPasskey: boolean;
  /** Whether only factors count that the user passed in this login. */
  readonly isForThisLogin: boolean;
  readonly action: FactorDemand["action"];
  /** Whether the requirement has no effect if the user can neither use nor add a factor. */
  readonly isOptional: boolean;
  readonly by: "policy" | "client" | "action";
}

/**
 * Decides whether a user must pass a second factor before a session starts or tokens are issued. All sign-ins and all
 * grants use this function. It is pure: a table test covers it.
 */
export function decideFactor(situation: FactorSituation): FactorDecision {
  const decisions = requirementsOf(situation).map((requirement) => decide(situation, requirement));
  const [first, ...others] = decisions.filter(({ kind }) => kind !== "sufficient");
  if (first?.kind !== "challenge") return first ?? { kind: "sufficient" };
  return { kind: "challenge", types: others.reduce(narrow, first.types) };
}

/** Leaves the types that satisfy another requirement as well, so that the user passes one factor instead of two. */
function narrow(types: readonly FactorType[], other: FactorDecision): readonly FactorType[] {
  const common = other.kind === "challenge" ? types.filter((type) => other.types.includes(type)) : [];
  return common.length > 0 ? common : types;
}

function requirementsOf(situation: FactorSituation): readonly Requirement[] {
  const { settings, first, now, demands } = situation;
  const isTwoFactors = combinesTwoFactors(first, settings);
  const policy: Requirement = {
    accepts: factorsByStrength,
    allowsTrustedBrowser: true,
    allowsPasskey: isTwoFactors,
    isForThisLogin: false,
    action: "either",
    isOptional: false,
    by: "policy",
  };
  return [
    ...(isPolicyInForce(settings) ? [policy] : []),
    ...requiredByClient(situation),
    ...demands.map(({ types = factorsByStrength, allowsTrustedBrowser, allowsPasskey, action, isOptional = false }): Requirement => ({
      accepts: types,
      allowsTrustedBrowser,
      allowsPasskey: allowsPasskey === true && isTwoFactors && isRecent(now, first.at),
      isForThisLogin: true,
      action,
      isOptional,
      by: "action",
    })),
  ];
}

const accepted: { readonly [acr in Acr]: readonly FactorType[] } = {
  [multifactorAcr]: factorsByStrength,
  [phishingResistantAcr]: factorsThat("resistsPhishing"),
};

/**
 * Returns the requirement of the `acr` values: nothing if one of them is satisfied already, otherwise the first one that
 * the user can satisfy. If the user can satisfy none, the sign-in fails, unless the values are voluntary.
 */
function requiredByClient(situation: FactorSituation): readonly Requirement[] {
  const { acrs, isAcrVoluntary = false, first, settings, isFrozen = false } = situation;
  const isVerifiedPasskey = first.method === "passkey" && first.userVerified === true;
  const requirements = acrs.map((acr): Requirement => ({
    accepts: accepted[acr],
    allowsTrustedBrowser: false,
    allowsPasskey: acr === phishingResistantAcr ? isVerifiedPasskey : combinesTwoFactors(first, settings),
    isForThisLogin: false,
    action: "either",
    isOptional: false,
    by: "client",
  }));
  const decided = requirements.map((requirement) => ({ requirement, kind: decide(situation, requirement).kind }));
  if (decided.some(({ kind }) => kind === "sufficient")) return [];
  // The page that says that factors are frozen lets no user continue.
  const isBlocked = isAcrVoluntary && isFrozen;
  const possible = decided.find(({ kind }) => kind === "challenge" || (kind !== "unmet" && !isBlocked));
  const chosen = possible ?? (isAcrVoluntary ? undefined : decided[0]);
  return chosen === undefined ? [] : [chosen.requirement];
}

function decide(situation: FactorSituation, requirement: Requirement): FactorDecision {
  const { passed, passedNow, isBrowserTrusted } = situation;
  const { accepts, action, by } = requirement;
  const usable = usableFactors(situation).filter((type) => accepts.includes(type));
  const addable = addableFactors(situation).filter((type) => accepts.includes(type));
  const counted = requirement.isForThisLogin ? passedNow : passed;
  if (counted.some(({ type }) => accepts.includes(type))) return { kind: "sufficient" };
  if (action === "enroll") {
    if (addable.length === 0) return { kind: "sufficient" };
    // A user who cannot add a factor now passes an enrolled one instead.
    return situation.isFrozen === true && passedNow.length > 0 ? { kind: "sufficient" } : add(situation, addable, by);
  }
  if (requirement.allowsPasskey) return { kind: "sufficient" };
  if (requirement.allowsTrustedBrowser && isBrowserTrusted) return { kind: "sufficient" };
  if (usable.length > 0) return { kind: "challenge", types: usable };
  if (hasUnavailableFactor(situation)) return { kind: "unmet", by };
  if (action === "either" && addable.length > 0) return add(situation, addable, by);
  return requirement.isOptional ? { kind: "sufficient" } : { kind: "unmet", by };
}

/** To add a factor is a change of factors, which needs a recent proof. The page says that frozen factors cannot be added. */
function add(situation: FactorSituation, types: readonly FactorType[], by: Requirement["by"]): FactorDecision {
  const permission = changePermission({ ...situation, isFrozen: false });
  switch (permission.kind) {
    case "challenge":
      return permission;
    case "sign-in-again":
      return { kind: permission.kind };
    case "unavailable":
      return { kind: "unmet", by };
    default:
      return { kind: "enroll", types };
  }
}

/** Decides whether a user may change their factors now, see {@link decideChange}. */
export function changePermission(situation: FactorSituation): ChangePermission {
  const { now, isFrozen = false, passed, first, settings } = situation;
  return decideChange({
    now,
    isFrozen,
    usable: usableFactors(situation),
    hasUnavailableFactor: hasUnavailableFactor(situation),
    passed,
    authenticatedAt: first.at,
    isTwoFactors: combinesTwoFactors(first, settings),
  });
}

/**
 * Returns the enrolled factors that the user can use now, the strongest first. A verified email address counts without
 * enrollment. Without a factor that protects alone, none counts. No code counts that would go through a channel of the
 * first factor.
 */
export function usableFactors(situation: FactorSituation): readonly FactorType[] {
  const { enrolled, hasMailbox, usedChannels } = situation;
  const listed: readonly FactorType[] = hasMailbox && !enrolled.includes("email") ? [...enrolled, "email"] : enrolled;
  const available = listed.filter((type) => isUsable(situation, type));
  if (!hasIndependentFactor(available)) return [];
  return factorsByStrength.filter((type) => available.includes(type) && !usedChannels.includes(type));
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
  return factorsThat("protectsAlone").filter((type) => type !== "passkey" && isUsable(situation, type));
}

/**
 * Returns the factors that the user can add with the MFA API, the strongest first, also several of one type. An email address can be added next to
 * an independent factor, because it never protects an account alone.
 */
export function addableByApi(situation: FactorSituation): readonly FactorType[] {
  const { enrolled } = situation;
  const isMailAllowed = isUsable(situation, "email") && hasIndependentFactor(enrolled);
  return [...enrollableFactors(situation), ...(isMailAllowed ? (["email"] as const) : [])].filter(
    (type) => !factorKind(type).uses.resistsPhishing,
  );
}

/** Whether the user has a confirmed factor that protects the account without another one. */
export function hasIndependentFactor(enrolled: readonly string[]): boolean {
  return factorsThat("protectsAlone").some((type) => enrolled.includes(type));
}

/** Whether the tenant has enabled the factor and the server can use it. */
function isUsable(situation: Pick<FactorSituation, "settings" | "available">, type: FactorType): boolean {
  return situation.available.includes(type) && isFactorEnabled(situation.settings, type);
}

/**
 * Whether the user has a factor that the tenant has enabled, but can use none now: for example, because the sender of text
 * messages was removed, or because its codes go through a channel of the first factor. The first factor alone must not be
 * sufficient then, and must not add another factor.
 */
export function hasUnavailableFactor(situation: FactorSituation): boolean {
  const { enrolled, settings } = situation;
  const usable = usableFactors(situation).filter((type) => factorKind(type).uses.permitsChanges);
  return usable.length === 0 && enrolled.some((type) => factorKind(type).uses.protectsAlone && isFactorEnabled(settings, type));
}
