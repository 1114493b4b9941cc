import type { DataContext, ServiceContext } from "../../context.ts";
import { PosternError } from "../../errors.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { noDeletion } from "../users/no-deletion.ts";

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
 * Whether no new password can be set for a primary account now, because its user reported a change of an address to which
 * links and codes for a new password are sent. An administrator can set one.
 */
export function isPasswordFrozen(
  context: Pick<ServiceContext, "now">,
  { password_frozen_until: until }: Pick<Row<"users">, "password_frozen_until">,
): boolean {
  return until !== null && until > context.now();
}

/**
 * Freezes the factors of a primary account for {@link freezeLifetime}, and everything else that its user can change only
 * with a recent authentication. Withdraws a pending deletion, which its user may not have requested. A parallel change is
 * either made before, or not at all, because these requests compare the revision of the user's row.
 * @param scope `with-password`: a link or a code sets no new password either, also not for a linked account.
 * @returns whether a deletion was pending.
 * @throws {PosternError} `conflict` if concurrent requests keep changing the user.
 */
export async function freezeFactors(
  context: DataContext,
  userId: string,
  scope: "factors" | "with-password" = "factors",
): Promise<{ readonly wasDeletionPending: boolean }> {
  const until = context.now() + freezeLifetime;
  const found = { wasDeletionPending: false };
  const { outcome } = await changeRow(context.data.users, { user_id: userId }, ({ deletes_at: at }) => {
    found.wasDeletionPending = at !== null;
    return {
      factors_frozen_until: until,
      ...noDeletion,
      ...(scope === "with-password" && { password_frozen_until: until }),
    };
  });
  if (outcome === "lost-race") throw lostRace("user");
  // The write of a reset compares the row of the account that it is for.
  if (scope === "with-password")
    await context.data.users.update({ linked_to: userId }, { set: { password_frozen_until: until }, add: { revision: 1 } });
  return { wasDeletionPending: found.wasDeletionPending && outcome === "changed" };
}

/** Creates the error for a change of factors that is frozen. */
export function frozenFactors(): PosternError {
  return new PosternError("access_denied", "Changes of the account are paused for 24 hours, because the user reported one.");
}

type FreezeColumn = Pick<Row<"users">, "factors_frozen_until">;
