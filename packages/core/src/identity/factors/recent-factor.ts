import { factorKind } from "../../model/factors/factor-types.ts";
import type { DataContext } from "../../context.ts";
import { knownAcrs } from "../../model/factors/acr.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";
import { firstFactorOf, passedFactorsOf } from "../sessions/methods.ts";
import { isRecent } from "./change-permission.ts";
import { combinesTwoFactors } from "./factor-uses.ts";
import { findOne } from "../../store/find-one.ts";

/** The claims of a user's token that say how and when the user authenticated. */
export interface TokenAuthentication {
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly acr: string | undefined;
}

/**
 * Whether a token shows that its user passed a factor that permits changes, at most 15 minutes ago. The token has an `acr`
 * and is at most as old. The time of the factor is in the session, because a refreshed token keeps the `acr` of its grant.
 * A code by email permits no change.
 */
export async function showsRecentFactor(
  context: Pick<DataContext, "data" | "now">,
  settings: Pick<MultifactorSettings, "passkey_counts_as_factor">,
  { sessionId, authentication: { issuedAt, acr = "" } }: { readonly sessionId: string; readonly authentication: TokenAuthentication },
): Promise<boolean> {
  const now = context.now();
  if (knownAcrs([acr]).length === 0 || !isRecent(now, issuedAt)) return false;
  const session = await findOne(context.data.sessions, { id: sessionId, revoked_at: null });
  if (session === undefined) return false;
  const first = firstFactorOf(session);
  if (combinesTwoFactors(first, settings) && isRecent(now, first.at)) return true;
  return passedFactorsOf(session).some(({ type, at }) => factorKind(type).uses.permitsChanges && isRecent(now, at));
}
