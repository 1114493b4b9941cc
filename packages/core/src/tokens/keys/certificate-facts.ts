import { base64url } from "jose";
import { readExpiry } from "./certificate.ts";

/** The fingerprints and the encoded text of a certificate. */
export interface CertificatePrints {
  /** SHA-1 of the certificate in base64url, the format of `x5t` (RFC 7517 section 4.8). */
  readonly thumbprint: string;
  /** SHA-1 of the certificate in colon-separated upper-case hex, the format of Auth0's API. */
  readonly fingerprint: string;
  /** The certificate in base64, the format of `x5c` (RFC 7517 section 4.7). */
  readonly base64: string;
}

/** The fingerprints and the expiry of a certificate. */
export interface CertificateFacts extends CertificatePrints {
  /** Milliseconds since 1970 (UTC). */
  readonly expiresAt: number;
}

/** Computes the fingerprints of a certificate in PEM. */
export async function certificatePrints(pem: string): Promise<CertificatePrints> {
  const { base64, der } = decode(pem);
  const sha1 = new Uint8Array(await crypto.subtle.digest("SHA-1", der));
  return {
    thumbprint: base64url.encode(sha1),
    fingerprint: [...sha1].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":"),
    base64,
  };
}

/** Reads a certificate in PEM. */
export async function readCertificate(pem: string): Promise<CertificateFacts> {
  return { ...(await certificatePrints(pem)), expiresAt: await readExpiry(decode(pem).der) };
}

function decode(pem: string): { readonly base64: string; readonly der: Uint8Array<ArrayBuffer> } {
  const base64 = pem.replaceAll(/-----[A-Z ]+-----|\s/g, "");
  return { base64, der: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) };
}
