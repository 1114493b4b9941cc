import { calculateJwkThumbprint, importSPKI, importX509 } from "jose";
import { readCertificate } from "./certificate-facts.ts";

/** The minimum size in bits of an RSA key that verifies signatures (RFC 7518 section 3.3). */
const minimumRsaBits = 2048;

function isCertificate(pem: string): boolean {
  return pem.includes("-----BEGIN CERTIFICATE-----");
}

/**
 * Returns the JWK thumbprint (RFC 7638) of the public key in a PEM, bare or in a certificate. Undefined if the PEM
 * contains no public key that can verify signatures with this algorithm.
 */
export async function publicKeyThumbprint(pem: string, alg: string): Promise<string | undefined> {
  try {
    const key = await (isCertificate(pem) ? importX509(pem, alg) : importSPKI(pem, alg));
    const isStrong = !("modulusLength" in key.algorithm) || Number(key.algorithm.modulusLength) >= minimumRsaBits;
    return isStrong ? await calculateJwkThumbprint(key) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the time at which a certificate expires, in milliseconds since 1970; undefined for a bare public key. */
export async function certificateExpiry(pem: string): Promise<number | undefined> {
  return isCertificate(pem) ? (await readCertificate(pem)).expiresAt : undefined;
}
