import { KeyObject, X509Certificate } from "node:crypto";
import { generateKeyPair } from "jose";
import { expect, test } from "vitest";
import { isNightly } from "../../../test/support/nightly.ts";
import { systemRandom } from "../src/adapters/random.ts";
import { signingAlgorithms } from "../src/model/keys/algorithms.ts";
import { issueCertificate } from "../src/tokens/keys/certificate.ts";
import { readCertificate } from "../src/tokens/keys/certificate-facts.ts";

const notBefore = Date.UTC(2026, 0, 1);
const notAfter = Date.UTC(2061, 0, 1);

test.each(["RS256", "ES256"] as const)("another implementation parses and verifies a certificate for an %s key", async (alg) => {
  // The length of the integers in an ECDSA signature varies, so several certificates are tested.
  const several = isNightly ? 64 : 8;
  for (let i = 0; i < (alg === "ES256" ? several : 1); i++) {
    const keys = await generateKeyPair(alg, { extractable: true });
    const pem = await issueCertificate(keys, { alg, commonName: "Ünïted & Söns", notBefore, notAfter, random: systemRandom });
    const read = new X509Certificate(pem);
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.publicKey.export({ format: "jwk" })).toMatchObject({ kty: alg === "RS256" ? "RSA" : "EC" });
    expect([read.subject, read.issuer, read.ca]).toEqual(["CN=Ünïted & Söns", read.subject, false]);
    expect([read.validFromDate.getTime(), read.validToDate.getTime()]).toEqual([notBefore, notAfter]);
    expect(read.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);

    const facts = await readCertificate(pem);
    expect(facts).toMatchObject({ expiresAt: notAfter, fingerprint: read.fingerprint, base64: read.raw.toString("base64") });
  }
});

test.each(signingAlgorithms)(
  "Node verifies a certificate for %s with the key that it was issued for, and with no other key",
  async (alg) => {
    const [keys, otherKeys] = await Promise.all([generateKeyPair(alg, { extractable: true }), generateKeyPair(alg, { extractable: true })]);
    const issued = await issueCertificate(keys, { alg, commonName: "id.example.test", notBefore, notAfter, random: systemRandom });
    const read = new X509Certificate(issued);
    expect([read.subject, read.issuer]).toEqual(["CN=id.example.test", "CN=id.example.test"]);
    expect([read.validFrom, read.validTo]).toEqual(["Jan  1 00:00:00 2026 GMT", "Jan  1 00:00:00 2061 GMT"]);
    expect(read.verify(KeyObject.from(keys.publicKey))).toBe(true);
    expect(read.verify(KeyObject.from(otherKeys.publicKey))).toBe(false);
    expect(read.checkPrivateKey(KeyObject.from(keys.privateKey))).toBe(true);
    expect(read.checkIssued(read)).toBe(true);
  },
);
