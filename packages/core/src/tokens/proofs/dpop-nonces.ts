import { equalInConstantTime } from "../../adapters/digest.ts";
import type { DataContext } from "../../context.ts";

const minute = 60_000;

/** The minutes whose nonces are accepted, relative to the current one: clocks of processes may differ. */
const acceptedMinutes = [0, -1, -2, 1];

/**
 * Returns the nonce that clients should put into their next proof (RFC 9449 section 8). It is derived from the host's
 * secret, the tenant and the minute, so it is not stored, and every process accepts it for two minutes.
 */
export function currentNonce(context: DataContext, minutesAhead = 0): Promise<string> {
  const index = Math.floor(context.now() / minute) + minutesAhead;
  return context.secrets.fingerprints.of("dpop nonce", context.data.tenantId, String(index));
}

/** Whether a nonce is one of the last two minutes. */
export async function isRecentNonce(context: DataContext, nonce: string): Promise<boolean> {
  for (const minutes of acceptedMinutes) if (equalInConstantTime(nonce, await currentNonce(context, minutes))) return true;
  return false;
}
