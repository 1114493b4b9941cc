import { importSPKI, importX509 } from "jose";
import { readCertificate } from "./certificate-facts.ts";

/** The smallest RSA key that signatures are taken of (RFC 7518 section 3.3). */
const minimumRsaBits = 2048;

function isCertificate(pem: string): boolean {
  return pem.includes("-----BEGIN CERTIFICATE-----");
}

/** Whether PEM holds a public key, bare or in a certificate, that can check signatures of this algorithm. */
export async function holdsPublicKey(pem: string, alg: string): Promise<boolean> {
  try {
    const key = await (isCertificate(pem) ? importX509(pem, alg) : importSPKI(pem, alg));
    return !("modulusLength" in key.algorithm) || Number(key.algorithm.modulusLength) >= minimumRsaBits;
  } catch {
    return false;
  }
}

/** The end of a certificate in milliseconds since 1970; undefined for a bare key. */
export async function certificateExpiry(pem: string): Promise<number | undefined> {
  return isCertificate(pem) ? (await readCertificate(pem)).expiresAt : undefined;
}
