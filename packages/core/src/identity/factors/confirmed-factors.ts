import type { DataContext } from "../../context.ts";
import { factorTypeSchema, type FactorType } from "../../model/factors/factor-types.ts";
import type { Row } from "../../store/schema.ts";
import { confirmedFactors, findFactors, healTypes, isPendingFactor, type Factor } from "./factors.ts";
import { activateRecoveryCode } from "./recovery-code.ts";

/**
 * Returns the confirmed factors of a primary account and its linked accounts, as `findFactors`. They decide what the user has: the list
 * `enrolled_factors` only saves the query for users without factors.
 *
 * Completes what a crash left: removes types from the list that no factor has, and stores the recovery code of a factor
 * that was confirmed. A type whose factor can still be confirmed stays in the list.
 */
export async function readConfirmedFactors(
  context: DataContext,
  user: Pick<Row<"users">, "user_id" | "linked_count" | "enrolled_factors">,
): Promise<readonly Factor[]> {
  const { user_id: userId, enrolled_factors: listed } = user;
  if (listed === null || listed.length === 0) return [];
  const factors = await findFactors(context.data, user);
  const current = factors.filter((factor) => factor.confirmed_at !== null || isPendingFactor(context, factor));
  if (listed.some((type) => !current.some((factor) => factor.type === type))) await healTypes(context, userId);
  const confirmed = confirmedFactors(factors);
  // The recovery codes of linked accounts are not valid.
  const own = confirmed.filter(({ user_id: id }) => id === userId);
  const interrupted = own.find(({ type, code_hash: hash }) => type !== "recovery-code" && hash !== null);
  if (interrupted === undefined) return confirmed;
  await activateRecoveryCode(context, interrupted);
  return confirmedFactors(await findFactors(context.data, user));
}

/** Returns the types of factors, each once. */
export function factorTypesOf(factors: readonly Pick<Factor, "type">[]): readonly FactorType[] {
  return factorTypeSchema.array().parse([...new Set(factors.map(({ type }) => type))]);
}
