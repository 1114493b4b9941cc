import { base64url } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import {
  cbor,
  createSoftwareAuthenticator,
  type AuthenticatorBehavior,
  type AuthenticatorResult,
  type SoftwareAuthenticator,
} from "../../../test/software-authenticator.ts";
import type { Row } from "../../store/schema.ts";
import { storeFactor } from "../factors/factors.ts";
import { authenticationOptions, verifyAuthentication, type Authentication, type VerifiedAuthentication } from "./authentication.ts";
import { credentialSchema, type Credential, importCredential, type CredentialValues, type WebauthnType } from "./credential.ts";
import { registrationOptions, verifyRegistration, type Registration, type VerifiedRegistration } from "./registration.ts";
import type { Rejection } from "./rejection.ts";

type Defect = Partial<AuthenticatorBehavior>;

const origin = "https://id.example.test";
const relyingParty = { rpId: "id.example.test", origins: [origin, "https://related.example"] };
let logins: Logins;
let ann: Row<"users">;
let device: SoftwareAuthenticator;

beforeEach(async () => {
  logins = await createLogins();
  ann = await logins.addUser({ email: "ann@example.com" });
  device = createSoftwareAuthenticator({ origin });
});

const factorsOf = (userId: string) => logins.data.factors.find({ where: { user_id: userId }, limit: 50 });

async function registrationOf(more: Partial<Registration> = {}): Promise<Registration> {
  const { userId = ann.user_id } = more;
  return { relyingParty, boundTo: "login", userId, factors: await factorsOf(userId), type: "passkey", ...more };
}

interface RegisterOptions extends Partial<Registration> {
  /** Changes the response before it is verified. */
  readonly change?: (response: AuthenticatorResult) => unknown;
}

async function register(
  defect: Defect = {},
  { change = (response) => response, ...more }: RegisterOptions = {},
): Promise<VerifiedRegistration | Rejection> {
  const registration = await registrationOf(more);
  const options = await registrationOptions(logins.tenant, registration, { name: "ann@example.com" });
  return verifyRegistration(logins.tenant, registration, change(await device.create(options, defect)));
}

/** Stores a confirmed factor. */
function store(values: CredentialValues, type: WebauthnType = "passkey", userId = ann.user_id): Promise<Row<"factors">> {
  return storeFactor(logins.tenant, { user_id: userId }, { type, ...values, confirmed: true });
}

function verified<Result extends VerifiedRegistration | VerifiedAuthentication>(result: Result | Rejection): Result {
  if (result.outcome === "rejected") throw new Error(`rejected: ${result.reason}, ${result.detail}`);
  return result;
}

/** Registers a credential and stores its factor. */
async function enroll(behavior: Defect = {}, more: Partial<Registration> = {}): Promise<Credential> {
  const { values } = verified(await register(behavior, more));
  await store(values, more.type, more.userId);
  return credentialSchema.parse(values.credential);
}

const anyUser: Authentication = { relyingParty, boundTo: "login", userVerification: "required" };

async function signIn(
  defect: Defect = {},
  more: Partial<Authentication> = {},
  change: (response: AuthenticatorResult) => unknown = (response) => response,
): Promise<VerifiedAuthentication | Rejection> {
  const authentication = { ...anyUser, ...more };
  const options = await authenticationOptions(logins.tenant, authentication);
  return verifyAuthentication(logins.tenant, authentication, change(await device.get(options, defect)));
}

const reasonOf = (result: { readonly outcome: string } | Rejection) => ("reason" in result ? result.reason : result.outcome);

/** Returns the outcome with the reason of a rejection and the report of the library. */
const faultOf = (result: { readonly outcome: string } | Rejection) =>
  "reason" in result ? `rejected: ${result.reason}: ${result.detail}` : result.outcome;

describe("registration", () => {
  test("asks for a discoverable passkey with the supported algorithms and without attestation", async () => {
    const options = await registrationOptions(logins.tenant, await registrationOf(), { name: "ann@example.com", timeout: 60_000 });
    expect(options).toMatchObject({
      timeout: 60_000,
      rp: { id: "id.example.test", name: "id.example.test" },
      user: { name: "ann@example.com", displayName: "ann@example.com" },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" },
      attestation: "none",
      excludeCredentials: [],
    });
    expect(options.authenticatorSelection).not.toHaveProperty("authenticatorAttachment");
    expect(base64url.decode(options.user.id)).toHaveLength(32);
    expect(options.user.id).not.toContain(ann.user_id);
  });

  test.each([
    ["webauthn-platform", "platform", "required"],
    ["webauthn-roaming", "cross-platform", "discouraged"],
  ] as const)("asks for a credential of the type %s", async (type, attachment, userVerification) => {
    const options = await registrationOptions(logins.tenant, await registrationOf({ type }), { name: "ann" });
    expect(options.authenticatorSelection).toEqual({
      authenticatorAttachment: attachment,
      residentKey: "discouraged",
      requireResidentKey: false,
      userVerification,
    });
  });

  test("returns the values of the factor", async () => {
    const { values, userVerified } = verified(await register({ backupEligible: true, backedUp: true }));
    expect(userVerified).toBe(true);
    expect(values.signCount).toBe(1);
    expect(values.credential).toMatchObject({
      id: device.credentials[0]?.id,
      rp_id: "id.example.test",
      user_handle: device.credentials[0]?.userHandle,
      aaguid: "00000000-0000-0000-0000-000000000000",
      transports: ["internal", "hybrid"],
      device_type: "multi_device",
      backed_up: true,
      backup_eligible: true,
      uv_seen: true,
    });
  });

  test("excludes the user's credentials for the same RP ID, and reuses their user handle", async () => {
    const first = await enroll();
    await logins.data.factors.update({ user_id: ann.user_id }, { set: { credential: { ...first, user_handle: "aGFuZGxl" } } });
    const options = await registrationOptions(logins.tenant, await registrationOf(), { name: "ann" });
    expect(options.excludeCredentials).toEqual([{ id: first.id, type: "public-key", transports: ["internal", "hybrid"] }]);
    expect(options.user.id).toBe("aGFuZGxl");
    device.credentials.length = 0;
    expect((await enroll()).user_handle).toBe("aGFuZGxl");
    const other = { rpId: "other.example.test", origins: ["https://other.example.test"] };
    const elsewhere = await registrationOptions(logins.tenant, await registrationOf({ relyingParty: other }), { name: "ann" });
    expect(elsewhere.excludeCredentials).toEqual([]);
    expect(elsewhere.user.id).not.toBe("aGFuZGxl");
  });

  test("gives each user and each RP ID another user handle", async () => {
    const handles = new Set<string>();
    for (const userId of ["a", "b"]) {
      for (const rpId of ["one.example", "two.example"]) {
        const registration = await registrationOf({ userId, relyingParty: { rpId, origins: [] } });
        handles.add((await registrationOptions(logins.tenant, registration, { name: "x" })).user.id);
      }
    }
    expect(handles.size).toBe(4);
  });

  test.each(["ES256", "EdDSA", "RS256"] as const)("accepts a key for %s, which then signs in", async (key) => {
    await enroll({ key });
    expect(reasonOf(await signIn())).toBe("verified");
  });

  test("accepts a related origin and the attestation of the authenticator's own key", async () => {
    expect(reasonOf(await register({ origin: "https://related.example" }))).toBe("verified");
    expect(reasonOf(await register({ selfAttested: true }))).toBe("verified");
  });

  const noUserVerification = { userVerification: "required" } as const;
  test.for<readonly [string, string, Defect, RegisterOptions?]>([
    ["of an authentication", "invalid: Unexpected registration response type", { clientDataType: "webauthn.get" }],
    ["of another origin", "invalid: Unexpected .* origin", { origin: "https://evil.example" }],
    ["of http", "invalid: Unexpected .* origin", { origin: "http://id.example.test" }],
    ["of another port", "invalid: Unexpected .* origin", { origin: "https://id.example.test:8443" }],
    ["of a subdomain", "invalid: Unexpected .* origin", { origin: "https://x.id.example.test" }],
    ["of the opaque origin", "invalid: Unexpected .* origin", { origin: "null" }],
    ["for another RP ID", "invalid: Unexpected RP ID hash", { rpId: "example.test" }],
    ["in a frame of another origin", "framed", { clientData: { crossOrigin: true } }],
    ["with a top origin", "framed", { clientData: { topOrigin: origin } }],
    ["without user presence", "invalid: .*not present", { userPresent: false }],
    ["without user verification if it is required", "user-verification", { userVerified: false }, noUserVerification],
    ["of a platform authenticator without user verification", "user-verification", { userVerified: false }, { type: "webauthn-platform" }],
    ["that is backed up but cannot be", "invalid: .*backed up", { backedUp: true }],
    ["with a key for ES384", "invalid: Unexpected public key alg", { key: "ES384" }],
    ["with a P-384 key that claims ES256", "unsupported-key", { key: "ES384", algorithm: -7 }],
    ["with an EdDSA key that claims ES256", "unsupported-key", { key: "EdDSA", algorithm: -7 }],
    ["with an unknown algorithm", "invalid: Unexpected public key alg", { algorithm: -65_535 }],
    ["with an RSA key of 1024 bits", "unsupported-key", { key: "RS256 with 1024 bits" }],
    [
      "with a statement in the attestation none",
      "invalid: None attestation",
      { attestation: { format: "none", statement: new Map([["x", 1]]) } },
    ],
    ["with a certificate", "attestation", { attestation: { format: "packed", statement: new Map([["x5c", [Uint8Array.of(1)]]]) } }],
    ["with self attestation for another origin", "invalid: Unexpected .* origin", { selfAttested: true, origin: "https://evil.example" }],
    ["with self attestation without a signature", "invalid", { attestation: { format: "packed", statement: new Map([["alg", -7]]) } }],
    ["with the attestation of a TPM", "attestation", { attestation: { format: "tpm", statement: new Map() } }],
    ["with a credential id of 1024 bytes", "malformed", { credentialIdLength: 1024 }],
    ["with nested CBOR", "invalid", { attestationObject: new Uint8Array(4096).fill(0x81) }],
    ["with nested CBOR tags", "invalid", { attestationObject: new Uint8Array(4096).fill(0xc1) }],
    ["with a CBOR array of 2^32 items", "invalid", { attestationObject: Uint8Array.of(0x9a, 0xff, 0xff, 0xff, 0xff, 0x00) }],
    ["with a CBOR number", "invalid", { attestationObject: cbor(1) }],
    ["with an empty CBOR map", "attestation", { attestationObject: cbor(new Map()) }],
    ["with an attestation object that is too long", "malformed", { attestationObject: new Uint8Array(10_000) }],
    ["with a challenge that was not issued", "challenge", { challenge: "A".repeat(43) }],
    ["with another id", "invalid", {}, { change: (response) => ({ ...response, id: "AAAA", rawId: "AAAA" }) }],
    ["with two ids", "invalid: Credential ID", {}, { change: (response) => ({ ...response, rawId: "AAAA" }) }],
    ["with another type", "malformed", {}, { change: (response) => ({ ...response, type: "password" }) }],
    ["without a response", "malformed", {}, { change: ({ id }) => ({ id, rawId: id, type: "public-key" }) }],
    ["with client data that is not JSON", "malformed", { response: { clientDataJSON: "AAAA" } }],
    ["with client data that is not base64url", "malformed", { response: { clientDataJSON: "{}" } }],
    ["with client data that is not UTF-8", "malformed", { response: { clientDataJSON: base64url.encode(Uint8Array.of(0xff)) } }],
    ["that is a string", "malformed", {}, { change: JSON.stringify }],
    ["that is null", "malformed", {}, { change: () => null }],
  ])("rejects a response %s: %s", async ([, pattern, defect, more]) => {
    const result = await register(defect, more);
    expect(faultOf(result)).toMatch(new RegExp(`^rejected: ${pattern}`));
    expect(Object.keys(result).filter((name) => !["outcome", "reason", "detail"].includes(name))).toEqual([]);
  });

  test("ignores transports in an unknown format", async () => {
    const { values } = verified(await register({ response: { transports: ["usb", "usb", "<script>", "", "x-1", "nfc"] } }));
    expect(credentialSchema.parse(values.credential).transports).toEqual(["usb", "nfc"]);
  });

  test("accepts a passkey without user presence only if it is created without a prompt", async () => {
    const silent = { userPresent: false, userVerified: false };
    const { values, userVerified } = verified(await register(silent, { conditional: true }));
    expect([userVerified, credentialSchema.parse(values.credential).uv_seen]).toEqual([false, false]);
    const prompted = await registrationOf();
    const options = await registrationOptions(logins.tenant, prompted, { name: "ann" });
    const response = await device.create(options, silent);
    expect(reasonOf(await verifyRegistration(logins.tenant, { ...prompted, conditional: true }, response))).toBe("challenge");
  });

  test("uses the challenge of a response that fails", async () => {
    const registration = await registrationOf();
    const options = await registrationOptions(logins.tenant, registration, { name: "ann" });
    const attempt = async (defect: Defect) =>
      reasonOf(await verifyRegistration(logins.tenant, registration, await device.create(options, defect)));
    expect([await attempt({ rpId: "evil.example" }), await attempt({})]).toEqual(["invalid", "challenge"]);
  });

  test("of 32 parallel requests with one response, one succeeds", async () => {
    const registration = await registrationOf();
    const response = await device.create(await registrationOptions(logins.tenant, registration, { name: "ann" }));
    const results = await Promise.all(Array.from({ length: 32 }, () => verifyRegistration(logins.tenant, registration, response)));
    expect(results.filter(({ outcome }) => outcome === "verified")).toHaveLength(1);
  });

  test("the credential of another user is rejected, and if both are registered at once, by the unique key", async () => {
    const credentialId = new Uint8Array(32).fill(7);
    const { values } = verified(await register({ credentialId }, { userId: "auth0|bob" }));
    device.credentials.length = 0;
    await enroll({ credentialId });
    device.credentials.length = 0;
    expect(await register({ credentialId }, { userId: "auth0|bob" })).toMatchObject({ reason: "known-credential" });
    await expect(store(values, "passkey", "auth0|bob")).rejects.toThrow("already enrolled");
  });
});

describe("authentication", () => {
  test("the options for any user list no credentials; those for a user list only the credentials for the RP ID", async () => {
    const credential = await enroll();
    const factors = await factorsOf(ann.user_id);
    const options = await authenticationOptions(logins.tenant, anyUser, factors, 60_000);
    expect(options).toEqual({ challenge: options.challenge, timeout: 60_000, rpId: "id.example.test", userVerification: "required" });
    const own = { ...anyUser, userId: ann.user_id };
    const { allowCredentials } = await authenticationOptions(logins.tenant, own, factors);
    expect(allowCredentials).toEqual([{ id: credential.id, type: "public-key", transports: ["internal", "hybrid"] }]);
    const other = { rpId: "other.example", origins: [] };
    expect(await authenticationOptions(logins.tenant, { ...own, relyingParty: other }, factors)).not.toHaveProperty("allowCredentials");
    const pending = factors.map((factor) => ({ ...factor, confirmed_at: null }));
    expect(await authenticationOptions(logins.tenant, own, pending)).not.toHaveProperty("allowCredentials");
  });

  test("signs in, and records the counter, the flags and the time", async () => {
    await enroll({ backupEligible: true, userVerified: false });
    logins.clock.advance("1h");
    const result = verified(await signIn({ backupEligible: true, backedUp: true, counter: 41 }));
    expect(result).toMatchObject({ userVerified: true, attachment: "platform", factor: { user_id: ann.user_id } });
    const [factor] = await factorsOf(ann.user_id);
    expect(factor).toMatchObject({
      sign_count: 41,
      last_used_at: logins.clock.now(),
      credential: { backed_up: true, backup_eligible: true, device_type: "multi_device", uv_seen: true },
    });
    expect(logins.audited).toEqual([]);
  });

  test.each<readonly [string, Defect]>([
    ["without a user handle", { userHandle: null }],
    ["with an empty user handle", { userHandle: "" }],
    ["of a related origin", { origin: "https://related.example" }],
  ])("accepts a response %s", async (_which, behavior) => {
    await enroll();
    expect(reasonOf(await signIn(behavior))).toBe("verified");
  });

  test.for<readonly [string, string, Defect, Partial<Authentication>?]>([
    ["of a registration", "invalid: Unexpected authentication response type", { clientDataType: "webauthn.create" }],
    ["of another origin", "invalid: Unexpected .* origin", { origin: "https://evil.example" }],
    ["of http", "invalid: Unexpected .* origin", { origin: "http://id.example.test" }],
    ["of another port", "invalid: Unexpected .* origin", { origin: "https://id.example.test:8443" }],
    ["of a sibling subdomain", "invalid: Unexpected .* origin", { origin: "https://other.example.test" }],
    ["of an Android app that is not listed", "invalid: Unexpected .* origin", { origin: `android:apk-key-hash:${"A".repeat(43)}` }],
    ["for another RP ID", "invalid: Unexpected RP ID hash", { rpId: "other.example.test" }],
    ["in a frame of another origin", "framed", { clientData: { crossOrigin: true } }],
    ["in a frame with its top origin", "framed", { clientData: { crossOrigin: true, topOrigin: "https://evil.example" } }],
    ["with a top origin", "framed", { clientData: { topOrigin: origin } }],
    ["without user presence", "invalid: .*not present", { userPresent: false }],
    ["without user verification", "user-verification", { userVerified: false }],
    ["with a wrong signature", "invalid", { wrongSignature: true }],
    ["with a signature that is no ASN.1", "invalid", { response: { signature: "AAAA" } }],
    ["with authenticator data that is too short", "invalid: Authenticator data was 3 bytes", { response: { authenticatorData: "AAAA" } }],
    ["that is backed up but cannot be", "invalid: .*backed up", { backedUp: true }],
    ["that can be backed up although the credential could not", "backup-state", { backupEligible: true }],
    ["with an unknown id", "unknown-credential", { sentId: "AAAA" }],
    ["with the user handle of another user", "user-handle", { userHandle: "AAAA" }],
    ["with a user handle of 65 bytes", "malformed", { userHandle: "A".repeat(88) }],
    ["with a challenge that was not issued", "challenge", { challenge: "A".repeat(43) }],
    ["of another user than expected", "unknown-credential", {}, { userId: "auth0|bob" }],
    ["with an id that is too long", "malformed", { sentId: "A".repeat(1365) }],
  ])("rejects a response %s: %s", async ([, pattern, defect, more]) => {
    await enroll();
    const result = await signIn(defect, more);
    expect(faultOf(result)).toMatch(new RegExp(`^rejected: ${pattern}`));
    expect((await factorsOf(ann.user_id))[0]).toMatchObject({ last_used_at: null, sign_count: 1 });
  });

  test.each(["preferred", "discouraged"] as const)("reports that the user was not verified if this is %s", async (userVerification) => {
    await enroll();
    expect(await signIn({ userVerified: false }, { userVerification })).toMatchObject({ outcome: "verified", userVerified: false });
  });

  test("rejects a credential of another type than allowed", async () => {
    await enroll({}, { type: "webauthn-roaming" });
    const response = await device.get(await authenticationOptions(logins.tenant, anyUser));
    expect(reasonOf(await verifyAuthentication(logins.tenant, anyUser, response, ["passkey"]))).toBe("unknown-credential");
  });

  test("rejects a credential that is unconfirmed, removed, of another tenant or for another RP ID", async () => {
    await enroll();
    await logins.data.factors.update({ user_id: ann.user_id }, { set: { confirmed_at: null } });
    expect(reasonOf(await signIn())).toBe("unknown-credential");
    await logins.data.factors.delete({ user_id: ann.user_id });
    expect(reasonOf(await signIn())).toBe("unknown-credential");
    await enroll();
    logins = await createLogins();
    expect(reasonOf(await signIn())).toBe("unknown-credential");
  });

  test("rejects the response to the options of a registration, and the reverse", async () => {
    await enroll();
    const registration = await registrationOf({ type: "webauthn-roaming" });
    const { challenge } = await registrationOptions(logins.tenant, registration, { name: "ann" });
    expect(reasonOf(await signIn({ challenge }))).toBe("challenge");
    const options = await authenticationOptions(logins.tenant, anyUser);
    device.credentials.length = 0;
    expect(reasonOf(await register({ challenge: options.challenge }))).toBe("challenge");
  });

  test("uses the challenge of a response that fails, and of 32 parallel requests one succeeds", async () => {
    await enroll();
    const failing = await authenticationOptions(logins.tenant, anyUser);
    const attempt = async (defect: Defect) =>
      reasonOf(await verifyAuthentication(logins.tenant, anyUser, await device.get(failing, defect)));
    expect([await attempt({ wrongSignature: true }), await attempt({})]).toEqual(["invalid", "challenge"]);
    const response = await device.get(await authenticationOptions(logins.tenant, anyUser));
    const results = await Promise.all(Array.from({ length: 32 }, () => verifyAuthentication(logins.tenant, anyUser, response)));
    expect(results.filter(({ outcome }) => outcome === "verified")).toHaveLength(1);
  });

  test("rejects a factor that is removed while it is verified", async () => {
    await enroll();
    const response = await device.get(await authenticationOptions(logins.tenant, anyUser));
    const { data } = logins;
    const factors = {
      ...data.factors,
      find: async (...query: Parameters<typeof data.factors.find>) => {
        const found = await data.factors.find(...query);
        await data.factors.delete({ user_id: ann.user_id });
        return found;
      },
    };
    const racing = { ...logins.tenant, data: { ...data, factors } };
    expect(reasonOf(await verifyAuthentication(racing, anyUser, response))).toBe("unknown-credential");
  });
});

describe("the signature counter", () => {
  test("may stay 0", async () => {
    await enroll({ counter: 0 });
    for (let i = 0; i < 2; i++) expect(reasonOf(await signIn({ counter: 0 }))).toBe("verified");
  });

  test.each([0, 4, 5])("of a single-device credential may not become %s after 5, and the credential still works", async (counter) => {
    await enroll({ counter: 5 });
    expect(reasonOf(await signIn({ counter }))).toBe("counter");
    expect(reasonOf(await signIn({ counter: 6 }))).toBe("verified");
    expect(logins.audited).toEqual([]);
  });

  test("of a synced passkey may decrease, with an audit event", async () => {
    await enroll({ counter: 5, backupEligible: true });
    expect(reasonOf(await signIn({ counter: 3, backupEligible: true }))).toBe("verified");
    const [factor] = await factorsOf(ann.user_id);
    expect(factor).toMatchObject({ sign_count: 5, last_used_at: logins.clock.now() });
    expect(logins.audited).toMatchObject([{ type: "w", user: { user_id: ann.user_id }, details: { counter: 3, stored_counter: 5 } }]);
  });

  test("of parallel authentications locks no user out, and the highest is stored", async () => {
    await enroll();
    const responses: AuthenticatorResult[] = [];
    for (let i = 0; i < 32; i++) responses.push(await device.get(await authenticationOptions(logins.tenant, anyUser)));
    const results = await Promise.all(responses.toReversed().map((response) => verifyAuthentication(logins.tenant, anyUser, response)));
    expect(results.map(reasonOf)).toEqual(responses.map(() => "verified"));
    expect((await factorsOf(ann.user_id))[0]?.sign_count).toBe(33);
  });
});

describe("an imported credential", () => {
  async function imported(more: object = {}): Promise<CredentialValues | undefined> {
    const { id, public_key: publicKey } = credentialSchema.parse(verified(await register()).values.credential);
    return importCredential({ rpId: relyingParty.rpId, id, publicKey, ...more });
  }

  test("signs in, and its backup flag is stored at the first use", async () => {
    const values = await imported();
    if (values === undefined) throw new Error("not imported");
    await store(values);
    expect(reasonOf(await signIn({ backupEligible: true }))).toBe("verified");
    expect((await factorsOf(ann.user_id))[0]?.credential).toMatchObject({ backup_eligible: true, device_type: "multi_device" });
    expect(reasonOf(await signIn())).toBe("backup-state");
  });

  test.each([
    ["an id that is not base64url", { id: "a b" }],
    ["an id that is too long", { id: "A".repeat(1365) }],
    ["a public key that is no CBOR", { publicKey: "____" }],
    ["a public key that is not base64url", { publicKey: "a b" }],
    [
      "a public key of an unsupported algorithm",
      {
        publicKey: base64url.encode(
          cbor(
            new Map([
              [1, 2],
              [3, -35],
            ]),
          ),
        ),
      },
    ],
    ["a user handle that is too long", { userHandle: "A".repeat(88) }],
    ["a backup of a single-device credential", { deviceType: "single_device", backedUp: true }],
  ])("with %s is rejected", async (_which, more) => {
    expect(await imported(more)).toBeUndefined();
  });
});
