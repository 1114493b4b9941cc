import { Secret, TOTP } from "otpauth";
import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { systemRandom } from "../../adapters/random.ts";
import type { DataContext } from "../../context.ts";
import { sealedCollections, sealedTexts } from "../../store/sealed.ts";
import { storeFactor, type Factor } from "./factors.ts";
import { importTotpSecret, newTotpSecret, openTotpSecret, totpUri, verifyTotp } from "./totp.ts";

/** The key of RFC 6238 appendix B, "12345678901234567890", in base32. */
const rfcSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const step = 30_000;
let logins: Logins;

beforeEach(async () => {
  logins = await createLogins();
});

async function enrollApp(): Promise<Factor> {
  const user = await logins.addUser();
  return storeFactor(logins.tenant, user, { type: "totp", totpSecret: rfcSecret, confirmed: true });
}

function codeAt(offset = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(rfcSecret), timestamp: logins.clock.now() + offset });
}

// The last six of the eight digits in RFC 6238 appendix B.
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("accepts the code of RFC 6238 appendix B for the time %i", async (seconds, code) => {
  const factor = await enrollApp();
  const context: DataContext = { ...logins.tenant, now: () => seconds * 1000 };
  expect(await verifyTotp(context, factor, code)).toBe("right");
});

test("accepts a code once", async () => {
  const factor = await enrollApp();
  expect(await verifyTotp(logins.tenant, factor, codeAt())).toBe("right");
  expect(await verifyTotp(logins.tenant, factor, codeAt())).toBe("wrong");
});

test("accepts a code again from the form that used it, for ten minutes", async () => {
  const factor = await enrollApp();
  const code = codeAt();
  expect(await verifyTotp(logins.tenant, factor, code, "form")).toBe("right");
  expect(await verifyTotp(logins.tenant, factor, code, "form")).toEqual({ at: logins.tenant.now() });
  expect(await verifyTotp(logins.tenant, factor, code, "another form")).toBe("wrong");
  const later: DataContext = { ...logins.tenant, now: () => logins.tenant.now() + 10 * 60_000 };
  expect(await verifyTotp(later, factor, code, "form")).toBe("wrong");
});

test("accepts a code in one of 32 parallel calls", async () => {
  const factor = await enrollApp();
  const results = await Promise.all(Array.from({ length: 32 }, async () => verifyTotp(logins.tenant, factor, codeAt())));
  expect(results.filter((result) => result === "right")).toHaveLength(1);
});

test("rejects the code of a step before the last accepted step", async () => {
  const factor = await enrollApp();
  expect(await verifyTotp(logins.tenant, factor, codeAt(step))).toBe("right");
  expect(await verifyTotp(logins.tenant, factor, codeAt())).toBe("wrong");
  expect(await verifyTotp(logins.tenant, factor, codeAt(-step))).toBe("wrong");
});

test("accepts the codes of the previous, the current and the next step, in this order", async () => {
  const factor = await enrollApp();
  for (const offset of [-step, 0, step]) expect(await verifyTotp(logins.tenant, factor, codeAt(offset))).toBe("right");
});

test.each([-2, 2])("rejects a code from a clock that is %i steps off", async (steps) => {
  const factor = await enrollApp();
  expect(await verifyTotp(logins.tenant, factor, codeAt(steps * step))).toBe("wrong");
});

test("ignores spaces in a code", async () => {
  const factor = await enrollApp();
  const code = codeAt();
  expect(await verifyTotp(logins.tenant, factor, ` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe("right");
});

test("rejects a code with other characters or another length", async () => {
  const factor = await enrollApp();
  const code = codeAt();
  const typed = ["", "      ", code.slice(1), `${code}0`, `0${code}`, `+${code.slice(1)}`, "é".repeat(6)];
  for (const text of typed) expect(await verifyTotp(logins.tenant, factor, text), JSON.stringify(text)).toBe("wrong");
  expect(await verifyTotp(logins.tenant, factor, code)).toBe("right");
});

test.each([
  ["full-width digits", 0xff10],
  ["Arabic digits", 0x0660],
  ["Devanagari digits", 0x0966],
])("accepts a code in %s, with spaces, dashes and direction marks", async (_, zero) => {
  const factor = await enrollApp();
  const digits = Array.from(codeAt(), (digit) => String.fromCodePoint(zero + Number(digit))).join("");
  expect(await verifyTotp(logins.tenant, factor, `\u200f${digits.slice(0, 3)}\u00a0\u2013${digits.slice(3)}\u200e\n`)).toBe("right");
});

test("a code of a removed factor is rejected", async () => {
  const factor = await enrollApp();
  await logins.data.factors.delete({ id: factor.id });
  expect(await verifyTotp(logins.tenant, factor, codeAt())).toBe("wrong");
});

test("the key is stored encrypted, and only for this factor", async () => {
  const factor = await enrollApp();
  expect(JSON.stringify(factor)).not.toContain(rfcSecret);
  expect(factor.seal).not.toBe("");
  expect(await openTotpSecret(logins.tenant, factor)).toBe(rfcSecret);
  await expect(openTotpSecret(logins.tenant, { ...factor, id: "totp|dev_other" })).rejects.toThrow();
});

test("re-encryption finds the key of an authenticator app", async () => {
  const factor = await enrollApp();
  const description = sealedCollections.find(({ name }) => name === "factors");
  const texts = description && sealedTexts(description, { ...factor, tenant_id: "t1" });
  expect(texts).toMatchObject([{ member: "totp_secret", place: { collection: "factors", id: factor.id, field: "secrets#totp_secret" } }]);
});

test("a new key has 160 random bits", () => {
  const [one, other] = [newTotpSecret(systemRandom), newTotpSecret(systemRandom)];
  expect(one).toMatch(/^[A-Z2-7]{32}$/);
  expect(one).not.toBe(other);
});

test("an imported key has 80 to 1024 bits in base32", () => {
  expect(importTotpSecret("GEZDGNBVGY3TQOJQ")).toBe("GEZDGNBVGY3TQOJQ");
  expect(importTotpSecret("gezd gnbv gy3t qojq ====")).toBe("GEZDGNBVGY3TQOJQ");
  expect(importTotpSecret("A".repeat(15))).toBeUndefined();
  expect(importTotpSecret("A".repeat(205))).toBe("A".repeat(205));
  expect(importTotpSecret("A".repeat(207))).toBeUndefined();
  for (const text of ["", "=", "0".repeat(32), "GEZDGNBVGY3TQOJ1", "GEZD-GNBV-GY3T-QOJQ"]) expect(importTotpSecret(text)).toBeUndefined();
});

test("the URI has the parameters of authenticator apps", () => {
  const uri = new URL(totpUri({ issuer: "Acme: Staff & Co", account: "ann+1@example.com", secret: rfcSecret }));
  expect(uri.href).toMatch(/^otpauth:\/\/totp\/Acme%20Staff%20%26%20Co:ann%2B1%40example.com\?/);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: "Acme Staff & Co",
    secret: rfcSecret,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});

test("the URI is short enough for a QR code, whatever the names are", () => {
  expect(totpUri({ issuer: "🌍".repeat(300), account: "🌍".repeat(300), secret: rfcSecret }).length).toBeLessThan(2000);
});
