import { importSPKI, importX509 } from "jose";
import { readCertificate } from "./certificate-facts.ts";

/** The minimum size in bits of an RSA key that verifies signatures (RFC 7518 section 3.3). */
const minimumRsaBits = 2048;

function isCertificate(pem: string): boolean {
  return pem.includes("-----BEGIN CERTIFICATE-----");
}

/**
 * `true` if the PEM contains a public key, bare or in a certificate, that can verify signatures with this algorithm.
 */
export async function holdsPublicKey(pem: string, alg: string): Promise<boolean> {
  try {
    const key = await (isCertificate(pem) ? importX509(pem, alg) : importSPKI(pem, alg));
    return !("modulusLength" in key.algorithm) || Number(key.algorithm.modulusLength) >= minimumRsaBits;
  } catch {
    return false;
  }
}

/** Returns the time at which a certificate expires, in milliseconds since 1970; undefined for a bare public key. */
export async function certificateExpiry(pem: string): Promise<number | undefined> {
  return isCertificate(pem) ? (await readCertificate(pem)).expiresAt : undefined;
}
