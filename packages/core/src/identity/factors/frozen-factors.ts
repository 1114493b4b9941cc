import type { DataContext, ServiceContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";

/** Milliseconds for which a user cannot change their factors after they reported a change that they did not make. */
export const freezeLifetime = 24 * 60 * 60_000;

/**
 * Whether the user cannot add, rename or remove factors now, because they reported a change that they did not make. An
 * administrator can. Factors stay usable.
 */
export function areFactorsFrozen(context: Pick<ServiceContext, "now">, { factors_frozen_until: until }: FreezeColumn): boolean {
  return until !== null && until > context.now();
}

/**
 * Freezes the factors of a primary account for {@link freezeLifetime}. A factor that a parallel request adds or removes
 * is either changed before, or not at all, because these requests compare the revision of the user's row.
 * @throws {PosternError} `conflict` if concurrent requests keep changing the user.
 */
export async function freezeFactors(context: DataContext, userId: string): Promise<void> {
  const { outcome } = await changeRow(context.data.users, { user_id: userId }, () => ({
    factors_frozen_until: context.now() + freezeLifetime,
  }));
  if (outcome === "lost-race") throw lostRace("user");
}

/** Creates the error for a change of factors that is frozen. */
export function frozenFactors(): PosternError {
  return new PosternError("access_denied", "Changes of second factors are paused for 24 hours, because the user reported one.");
}

type FreezeColumn = Pick<Row<"users">, "factors_frozen_until">;
