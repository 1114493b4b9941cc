import type { Fingerprints } from "../../crypto/fingerprints.ts";

/** Seconds that the clock of a provider may be ahead of the clock of this process, or behind it. */
export const providerClockTolerance = 30;

/** A way to an identity provider and back. */
export interface UpstreamAttempt {
  /** Comes back as it was sent: the tenant, the login session, and what nobody can guess. */
  readonly state: string;
  /** Stands in the ID token (OpenID Connect Core section 3.1.2.1). */
  readonly nonce: string;
  /** The code verifier (RFC 7636): of 44 characters. */
  readonly verifier: string;
}

/** An attempt by its state. Nonce and verifier are made from that under a key of the host: neither is stored anywhere. */
export async function attemptOf(fingerprints: Fingerprints, state: string): Promise<UpstreamAttempt> {
  const [nonce, first, second] = await Promise.all(
    ["nonce", "verifier", "verifier 2"].map((what) => fingerprints.of("upstream", what, state)),
  );
  return { state, nonce: nonce ?? "", verifier: `${first}${second}` };
}
