import type { Fingerprints } from "../../crypto/fingerprints.ts";

/** Seconds that the clock of a provider may be ahead of the clock of this process, or behind it. */
export const providerClockTolerance = 30;

/** The parameters of one sign-in at an identity provider. */
export interface ProviderAttempt {
  /** The provider returns it unchanged: the tenant, the login session and an unguessable value. */
  readonly state: string;
  /** The `nonce` claim of the ID token (OpenID Connect Core section 3.1.2.1). */
  readonly nonce: string;
  /** The code verifier (RFC 7636), 44 characters long. */
  readonly verifier: string;
}

/**
 * Derives an attempt from its state. The nonce and the verifier are derived with a key of the host and are stored
 * nowhere.
 */
export async function attemptOf(fingerprints: Fingerprints, state: string): Promise<ProviderAttempt> {
  const [nonce, first, second] = await Promise.all(
    ["nonce", "verifier", "verifier 2"].map((what) => fingerprints.of("upstream", what, state)),
  );
  return { state, nonce: nonce ?? "", verifier: `${first}${second}` };
}
