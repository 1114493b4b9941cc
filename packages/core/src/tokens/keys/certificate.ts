import type { Random } from "../../adapters/random.ts";
import { webCryptoParameters, type SigningAlgorithm } from "../../model/keys/algorithms.ts";
import { loadX509 } from "./x509.ts";

/** Issues a self-signed certificate for a key pair, in PEM. `notBefore` and `notAfter` are milliseconds since 1970. */
export async function issueCertificate(
  keys: CryptoKeyPair,
  options: {
    readonly alg: SigningAlgorithm;
    readonly commonName: string;
    readonly notBefore: number;
    readonly notAfter: number;
    readonly random: Random;
  },
): Promise<string> {
  const { Name, SubjectKeyIdentifierExtension, X509CertificateGenerator } = await loadX509();
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      keys,
      serialNumber: serialNumber(options.random),
      // As a UTF-8 string, because the library would parse a plain string for special characters.
      name: new Name([{ CN: [{ utf8String: options.commonName }] }]),
      notBefore: new Date(options.notBefore),
      notAfter: new Date(options.notAfter),
      signingAlgorithm: webCryptoParameters[options.alg],
      // Without an extension the library writes an empty list, which RFC 5280 section 4.1.2.9 forbids. This extension
      // restricts nothing.
      extensions: [await SubjectKeyIdentifierExtension.create(keys.publicKey, false, crypto)],
    },
    crypto,
  );
  return `${certificate.toString("pem")}\n`;
}

/**
 * Returns a random serial number of 16 bytes in hex. The number is positive and has no leading zero byte (RFC 5280
 * section 4.1.2.2).
 */
function serialNumber(random: Random): string {
  const serial = random.bytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return Array.from(serial, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Returns the time at which a certificate expires, in milliseconds since 1970 (UTC). @param der the certificate in DER.
 */
export async function readExpiry(der: Uint8Array<ArrayBuffer>): Promise<number> {
  const { X509Certificate } = await loadX509();
  return new X509Certificate(der).notAfter.getTime();
}
