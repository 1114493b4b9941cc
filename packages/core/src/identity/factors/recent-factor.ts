import type { DataContext } from "../../context.ts";
import { knownAcrs } from "../../model/factors/acr.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";
import { newestMethods } from "../../model/sessions/authentication.ts";
import { passedFactorsOf } from "../sessions/methods.ts";
import { changeWindow } from "./change-permission.ts";

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
  { data, now }: Pick<DataContext, "data" | "now">,
  settings: Pick<MultifactorSettings, "passkey_counts_as_factor">,
  { sessionId, authentication: { issuedAt, acr = "" } }: { readonly sessionId: string; readonly authentication: TokenAuthentication },
): Promise<boolean> {
  const earliest = now() - changeWindow;
  if (knownAcrs([acr]).length === 0 || issuedAt <= earliest) return false;
  const [session] = await data.sessions.find({ where: { id: sessionId, revoked_at: null }, limit: 1 });
  if (session === undefined) return false;
  const isPasskey = newestMethods(session).some(
    ({ name, user_verified: verified, timestamp: at }) => name === "passkey" && verified === true && at > earliest,
  );
  if (isPasskey && settings.passkey_counts_as_factor) return true;
  return passedFactorsOf(session).some(({ type, at }) => type !== "email" && at > earliest);
}
