import { AsnConvert } from "@peculiar/asn1-schema";
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from "@peculiar/asn1-x509";
import type { Random } from "../../adapters/random.ts";
import { webCryptoParameters, type SigningAlgorithm } from "./algorithms.ts";

/** How certificates name the signature algorithms (RFC 4055 section 5, RFC 5758 section 3.2). RSA has explicit null parameters, ECDSA none. */
const signatureAlgorithms = {
  RS256: () => new AlgorithmIdentifier({ algorithm: "1.2.840.113549.1.1.11", parameters: null }),
  ES256: () => new AlgorithmIdentifier({ algorithm: "1.2.840.10045.4.3.2" }),
} as const satisfies { readonly [alg in SigningAlgorithm]: () => AlgorithmIdentifier };

const commonNameType = "2.5.4.3";

/** Issues a self-signed certificate over a key pair, in PEM. `notBefore` and `notAfter` are milliseconds since 1970. */
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
  const { alg } = options;
  const name = new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type: commonNameType, value: new AttributeValue({ utf8String: options.commonName }) }),
    ]),
  ]);
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: toBuffer(serialNumber(options.random)),
    signature: signatureAlgorithms[alg](),
    issuer: name,
    subject: name,
    validity: new Validity({ notBefore: new Date(options.notBefore), notAfter: new Date(options.notAfter) }),
    subjectPublicKeyInfo: AsnConvert.parse(await crypto.subtle.exportKey("spki", keys.publicKey), SubjectPublicKeyInfo),
  });
  const signature = new Uint8Array(await crypto.subtle.sign(webCryptoParameters[alg].import, keys.privateKey, AsnConvert.serialize(body)));
  const certificate = new Certificate({
    tbsCertificate: body,
    signatureAlgorithm: signatureAlgorithms[alg](),
    signatureValue: toBuffer(alg === "ES256" ? ecdsaSignature(signature) : signature),
  });
  const lines = toBase64(new Uint8Array(AsnConvert.serialize(certificate))).match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** RFC 5280 section 4.1.2.2: positive, and without a leading zero byte. */
function serialNumber(random: Random): Uint8Array {
  const serial = random.bytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return serial;
}

/** Web Crypto gives r and s side by side; certificates hold a sequence of two integers (RFC 3279 section 2.2.3). */
function ecdsaSignature(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2;
  const body = [...derInteger(raw.subarray(0, half)), ...derInteger(raw.subarray(half))];
  return Uint8Array.from([0x30, body.length, ...body]);
}

function derInteger(bytes: Uint8Array): readonly number[] {
  const start = bytes.findIndex((byte) => byte !== 0);
  const value = [...bytes.subarray(start === -1 ? bytes.length - 1 : start)];
  // A set top bit would make it negative.
  if ((value[0] ?? 0) & 0x80) value.unshift(0);
  return [0x02, value.length, ...value];
}

/** When a certificate ends, in milliseconds since 1970 (UTC). @param der the certificate in DER. */
export function endOfCertificate(der: Uint8Array): number {
  return AsnConvert.parse(der, Certificate).tbsCertificate.validity.notAfter.getTime().getTime();
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function toBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
