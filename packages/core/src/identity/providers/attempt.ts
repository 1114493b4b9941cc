import type { Fingerprints } from "../../crypto/fingerprints.ts";

/** The number of seconds by which a provider's clock may differ from the clock of this process. */
export const providerClockTolerance = 30;

/** The parameters of one sign-in at an identity provider. */
export interface ProviderAttempt {
  /**
   * The `state` parameter, which the provider returns unchanged. It contains the tenant, the login session and an
   * unguessable value.
   */
  readonly state: string;
  /** The value of the `nonce` claim in the ID token (OpenID Connect Core section 3.1.2.1). */
  readonly nonce: string;
  /** The code verifier (RFC 7636), 44 characters long. */
  readonly verifier: string;
}

/**
 * Derives the parameters of a sign-in from its state. The nonce and the verifier are derived with a key of the host, so
 * they are not stored.
 */
export async function attemptOf(fingerprints: Fingerprints, state: string): Promise<ProviderAttempt> {
  const [nonce, first, second] = await Promise.all(
    ["nonce", "verifier", "verifier 2"].map((what) => fingerprints.of("upstream", what, state)),
  );
  return { state, nonce: nonce ?? "", verifier: `${first}${second}` };
}
