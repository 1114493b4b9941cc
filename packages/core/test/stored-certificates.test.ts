import { expect, test } from "vitest";
import { webCryptoParameters } from "../src/model/keys/algorithms.ts";
import { issueCertificate } from "../src/tokens/keys/certificate.ts";
import { certificatePrints, readCertificate } from "../src/tokens/keys/certificate-facts.ts";
import { storedCertificates, storedKeys, storedNotBefore, storedRandom } from "./stored-certificates.ts";

/** The AlgorithmIdentifiers `sha256WithRSAEncryption` and `ecdsa-with-SHA256`, in hex. */
const signatureAlgorithms = { RS256: "300d06092a864886f70d01010b0500", ES256: "300a06082a8648ce3d040302" } as const;

/**
 * The field `[3]` in hex: a list with one extension, the subject key identifier of 20 bytes (RFC 5280 section 4.2.1.2).
 */
const keyIdentifier = /^a321301f301d0603551d0e04160414[0-9a-f]{40}$/;

/** The first field of a certificate, version 3, in hex. */
const version3 = "a003020102";

test.each(storedCertificates)("reissues the stored certificate for $alg and '$commonName', with a key identifier added", async (stored) => {
  const { alg, commonName, notAfter, pem } = stored;
  const keys = await keyPair(alg);
  const issued = await issueCertificate(keys, { alg, commonName, notBefore: storedNotBefore, notAfter, random: storedRandom });
  const [before, after] = [signedFields(pem, alg), signedFields(issued, alg)];
  expect(after.slice(0, before.length)).toBe(before);
  expect(after.slice(before.length)).toMatch(keyIdentifier);
  expect(issued).toMatch(/^-----BEGIN CERTIFICATE-----\n([A-Za-z0-9+/=]{1,64}\n)+-----END CERTIFICATE-----\n$/);
});

test.each(storedCertificates)("parses the stored certificate for $alg and '$commonName'", async ({ pem, notAfter }) => {
  const seconds = Math.floor(notAfter / 1000);
  expect(await readCertificate(pem)).toEqual({ ...(await certificatePrints(pem)), expiresAt: seconds * 1000 });
});

async function keyPair(alg: "RS256" | "ES256"): Promise<CryptoKeyPair> {
  const jwk = storedKeys[alg];
  const { kty, ...members } = jwk;
  const publicJwk = "n" in members ? { kty, n: members.n, e: members.e } : { kty, crv: members.crv, x: members.x, y: members.y };
  return {
    privateKey: await crypto.subtle.importKey("jwk", jwk, webCryptoParameters[alg], true, ["sign"]),
    publicKey: await crypto.subtle.importKey("jwk", publicJwk, webCryptoParameters[alg], true, ["verify"]),
  };
}

/**
 * Returns the fields of the TBSCertificate, which is the signed part of a certificate, in hex. Leaves out the two
 * length prefixes before the fields.
 */
function signedFields(pem: string, alg: "RS256" | "ES256"): string {
  const der = atob(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ""));
  const hex = Array.from(der, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return hex.slice(hex.indexOf(version3), hex.lastIndexOf(signatureAlgorithms[alg]));
}
