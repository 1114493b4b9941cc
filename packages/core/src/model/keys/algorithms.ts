/** The signing algorithms of tokens. `EdDSA` and `Ed25519` (RFC 9864) name the same algorithm with separate keys. */
export const signingAlgorithms = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"] as const;

/** A signing algorithm. Every client supports RS256. Signing with ES256 or Ed25519 takes a sixth of the time. */
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** The text of the error for another algorithm of tokens. */
export const unsupportedAlgorithm =
  "must be RS256, PS256, ES256, EdDSA or Ed25519: other algorithms are not supported, and HS256 would share the key with others";

/** The Web Crypto parameters for imports and signatures with each algorithm. */
export const webCryptoParameters = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256", saltLength: 32 },
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
  Ed25519: { name: "Ed25519" },
} as const satisfies { readonly [alg in SigningAlgorithm]: object };

/** Whether signatures are Ed25519 signatures. */
export function isEd25519(alg: string): boolean {
  return alg === "EdDSA" || alg === "Ed25519";
}

/** Returns the names of an algorithm in the headers of JWTs (RFC 9864 section 2.2). */
export function namesOfAlgorithm(alg: string): readonly string[] {
  return isEd25519(alg) ? ["EdDSA", "Ed25519"] : [alg];
}

/**
 * Narrows a stored string to {@link SigningAlgorithm}.
 * @throws {TypeError} for any other string.
 */
export function toSigningAlgorithm(alg: string): SigningAlgorithm {
  const known = signingAlgorithms.find((name) => name === alg);
  if (known !== undefined) return known;
  throw new TypeError(`unknown signing algorithm '${alg}'`);
}
