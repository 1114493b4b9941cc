import { factorKind, factorTypeSchema, type FactorType } from "../../model/factors/factor-types.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";
import { isFactorEnabled, isPolicyInForce, type PassedFactor } from "./factor-uses.ts";

/** Milliseconds for which an authentication lets a user change their factors. */
export const changeWindow = 15 * 60_000;

/** Everything that decides whether a user may change their factors now. */
export interface ChangeSituation {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isFrozen: boolean;
  /** The factors that the user can pass at this host now, the strongest first. */
  readonly usable: readonly FactorType[];
  /** Whether the user has an enabled factor, but can pass none at this host now. */
  readonly hasUnavailableFactor: boolean;
  /** The factors that the user passed in the session or the login, with their times. */
  readonly passed: readonly PassedFactor[];
  /** When the user authenticated with the first factor. Undefined if the identity provider did not report it. */
  readonly authenticatedAt: number | undefined;
  /** Whether the first factor combines two factors, see `combinesTwoFactors`. */
  readonly isTwoFactors: boolean;
}

/**
 * Whether a user may change their factors. `challenge`: the user must pass one of these factors first. `sign-in-again`:
 * the user has no factor, and the first factor is too old. `unavailable`: the user has a factor but cannot pass it here,
 * and the first factor alone is not sufficient.
 */
export type ChangePermission =
  | { readonly kind: "allowed" | "frozen" | "sign-in-again" | "unavailable" }
  | { readonly kind: "challenge"; readonly types: readonly FactorType[] };

/**
 * Decides whether a user may change their own factors: with a factor that permits changes and is at most
 * {@link changeWindow} old, or with such a first factor if the user has no other (NIST SP 800-63B section 6.1.2). It is
 * pure: a table test covers it.
 */
export function decideChange(situation: ChangeSituation): ChangePermission {
  const { now, isFrozen, usable, passed, authenticatedAt, isTwoFactors } = situation;
  if (isFrozen) return { kind: "frozen" };
  if (passed.some(({ type, at }) => factorKind(type).uses.permitsChanges && isRecent(now, at))) return { kind: "allowed" };
  if (isTwoFactors && isRecent(now, authenticatedAt)) return { kind: "allowed" };
  const types = usable.filter((type) => factorKind(type).uses.permitsChanges);
  if (types.length > 0) return { kind: "challenge", types };
  if (situation.hasUnavailableFactor) return { kind: "unavailable" };
  return { kind: isRecent(now, authenticatedAt) ? "allowed" : "sign-in-again" };
}

/** Whether an authentication is at most {@link changeWindow} old. `false` if its time is not known. */
export function isRecent(now: number, at: number | undefined): boolean {
  return at !== undefined && at > now - changeWindow;
}

/** The parts of a factor that decide about its removal. */
type RemovableFactor = { readonly id: string; readonly type: string };

/**
 * Decides whether a user may remove a factor. If the tenant requires a factor at every login, one that stands alone must
 * stay. The recovery code cannot be removed, only replaced.
 * @param factors the confirmed factors of the user, with the one to remove.
 * @returns `isLast`: whether no factor that stands alone is left.
 */
export function canRemoveFactor(
  factor: RemovableFactor,
  factors: readonly RemovableFactor[],
  settings: MultifactorSettings,
): "required" | "absent" | { readonly isLast: boolean } {
  if (factor.type === "recovery-code") return "absent";
  const counts = ({ type }: RemovableFactor): boolean => protectsAlone(settings, type);
  const isLast = !factors.some((other) => other.id !== factor.id && counts(other));
  return isLast && counts(factor) && isPolicyInForce(settings) ? "required" : { isLast };
}

function protectsAlone(settings: MultifactorSettings, type: string): boolean {
  const { data: known } = factorTypeSchema.safeParse(type);
  return known !== undefined && factorKind(known).uses.protectsAlone && isFactorEnabled(settings, known);
}
