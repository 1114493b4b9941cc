/** The signing algorithms. Every client supports RS256. Signing with ES256 takes a sixth of the time. */
export type SigningAlgorithm = "RS256" | "ES256";

/** The Web Crypto parameters of each algorithm. */
export const webCryptoParameters = {
  RS256: {
    generate: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
    import: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  },
  ES256: {
    generate: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
    import: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  },
} as const satisfies { readonly [alg in SigningAlgorithm]: object };

/**
 * Narrows a stored string to {@link SigningAlgorithm}.
 * @throws {TypeError} for any other string.
 */
export function toSigningAlgorithm(alg: string): SigningAlgorithm {
  if (alg === "RS256" || alg === "ES256") return alg;
  throw new TypeError(`unknown signing algorithm '${alg}'`);
}
