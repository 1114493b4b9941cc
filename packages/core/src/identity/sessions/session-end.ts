import type { LogoutInitiator } from "../../model/clients/logout-initiators.ts";
import type { Row } from "../../store/schema.ts";

/** The value of a session's `logout_at` when its logout tokens are queued. */
export const noPendingLogout = Number.MAX_SAFE_INTEGER;

/**
 * Returns the columns of a session that ends now. Every session that is revoked is revoked by a write of these columns,
 * so the same write stores that the session's clients must receive logout tokens, and why. `deliverEvents` then sends them logout
 * tokens. A session that expires is not written: `logout_at` was set when it started.
 */
export function sessionEnd(
  now: number,
  initiator: LogoutInitiator,
): Pick<Row<"sessions">, "revoked_at" | "logout_initiator" | "logout_at" | "updated_at"> {
  return { revoked_at: now, logout_initiator: initiator, logout_at: now, updated_at: now };
}
