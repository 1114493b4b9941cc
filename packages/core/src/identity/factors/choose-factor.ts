import type { FactorType } from "../../model/factors/factor-types.ts";
import type { Row } from "../../store/schema.ts";
import { codeTargets, type CodeOwner, type CodeTarget } from "./factor-code.ts";
import type { Factor } from "./factors.ts";

/** The confirmed factors of a user, who must pass one of them. */
interface OfferedFactors extends CodeOwner {
  /** The types that the user may use, the strongest first. */
  readonly types: readonly FactorType[];
  /** The primary account. */
  readonly user: Row<"users">;
}

/** The choice of the user, as it was submitted. A factor that is not offered is ignored. */
export interface FactorChoice {
  readonly factor?: string | undefined;
  /** The id of the destination of the code. Default: the first one of the factor. */
  readonly destination?: string | undefined;
}

/** The factor that the user must use now. */
export interface ChosenFactor {
  readonly type: FactorType;
  /** The other types that the user may use instead. */
  readonly others: readonly FactorType[];
  /** The user's confirmed factors of this type. */
  readonly candidates: readonly Factor[];
  /** Where the code is sent. Undefined for a factor without sent codes. */
  readonly target: CodeTarget | undefined;
  /** The destinations of the codes of all offered types. */
  readonly targets: readonly CodeTarget[];
  readonly user: Row<"users">;
}

/** Returns the factor that the user chose, otherwise the strongest one. Undefined if no factor is offered. */
export function chooseFactor({ types, ...owner }: OfferedFactors, { factor, destination }: FactorChoice): ChosenFactor | undefined {
  const targets = types.flatMap((type) => (type === "phone" || type === "email" ? codeTargets(owner, type) : []));
  const named = targets.find(({ id }) => id === destination);
  const type = named?.type ?? types.find((one) => one === factor) ?? types[0];
  if (type === undefined) return undefined;
  return {
    type,
    others: types.filter((one) => one !== type),
    candidates: owner.factors.filter((one) => one.type === type),
    target: named ?? targets.find((target) => target.type === type),
    targets,
    user: owner.user,
  };
}

/**
 * Returns the destinations that a page lists in addition to the factor that the user must use now: those of the types of
 * which the user has several.
 */
export function otherTargets({ target: current, targets }: ChosenFactor): readonly CodeTarget[] {
  const hasSeveral = (type: FactorType): boolean => targets.filter((target) => target.type === type).length > 1;
  return targets.filter(({ id, type }) => id !== current?.id && hasSeveral(type));
}

/** Returns the phone that the user must use now, otherwise the first one that is offered. */
export function phoneOf({ type, target, targets }: Pick<ChosenFactor, "type" | "target" | "targets">): CodeTarget | undefined {
  return type === "phone" ? target : targets.find((one) => one.type === "phone");
}
