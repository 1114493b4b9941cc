/** The signature algorithms of DPoP proofs (RFC 9449 section 4.2). */
export const proofAlgorithms = ["ES256", "ES384", "PS256", "RS256", "EdDSA", "Ed25519"] as const;
