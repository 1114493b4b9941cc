import { base64url } from "jose";
import type { Library } from "./library.ts";

/** COSE algorithms in order of preference: EdDSA with Ed25519, ES256, RS256. Auth0 offers the same. */
export const algorithms = [-8, -7, -257] as const;

const minimumRsaBits = 2048;
const maximumRsaBits = 8192;

/**
 * Whether a COSE public key has one of the {@link algorithms}, with the key type and the curve that belong to the
 * algorithm (WebAuthn section 5.8.5). RSA keys must have 2048 to 8192 bits and the exponent 65537.
 * @throws an error if the bytes are not a CBOR map.
 */
export function isSupportedKey({ helpers: { cose, decodeCredentialPublicKey } }: Library, publicKey: Uint8Array<ArrayBuffer>): boolean {
  const key = decodeCredentialPublicKey(publicKey);
  const { COSEKEYS, COSECRV } = cose;
  switch (key.get(COSEKEYS.alg)) {
    case -7:
      return (
        cose.isCOSEPublicKeyEC2(key) &&
        key.get(COSEKEYS.crv) === COSECRV.P256 &&
        isBytes(key.get(COSEKEYS.x), 32) &&
        isBytes(key.get(COSEKEYS.y), 32)
      );
    case -8:
      return cose.isCOSEPublicKeyOKP(key) && key.get(COSEKEYS.crv) === COSECRV.ED25519 && isBytes(key.get(COSEKEYS.x), 32);
    case -257: {
      if (!cose.isCOSEPublicKeyRSA(key)) return false;
      const [n, e] = [key.get(COSEKEYS.n), key.get(COSEKEYS.e)];
      if (!(n instanceof Uint8Array) || !(e instanceof Uint8Array)) return false;
      const bits = bitLength(n);
      return bits >= minimumRsaBits && bits <= maximumRsaBits && base64url.encode(e) === "AQAB";
    }
    default:
      return false;
  }
}

/** The value is from CBOR, so it may have any type. */
function isBytes(value: unknown, length: number): boolean {
  return value instanceof Uint8Array && value.length === length;
}

/** Returns the number of bits of a big-endian integer, without leading zeros. */
function bitLength(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24);
}
