import { base64url } from "jose";
import type { DataContext } from "../../context.ts";
import {
  registrationResponseSchema,
  type RegistrationResponse,
  type AuthenticatorAttachment,
  type CreationOptions,
  type UserVerification,
} from "../../model/factors/webauthn.ts";
import type { Row } from "../../store/schema.ts";
import { createChallenge, promptTimeout, useChallenge, type ChallengePlace } from "./challenge.ts";
import { readClientData } from "./client-data.ts";
import {
  credentialsAt,
  findCredential,
  knownTransports,
  toCredentialValues,
  userHandleOf,
  type CredentialValues,
  type WebauthnType,
} from "./credential.ts";
import { loadWebauthn, type Library } from "./library.ts";
import { algorithms, isSupportedKey } from "./public-key.ts";
import { rejected, rejectedBy, type Rejection } from "./rejection.ts";
import type { RelyingParty } from "./relying-party.ts";

/** The registration of a credential. The options and the verification of one registration need equal values. */
export interface Registration {
  readonly relyingParty: RelyingParty;
  /** The id of the login session, the `auth_session` or the session that the registration belongs to. */
  readonly boundTo: string;
  /** The id of the primary account. For a sign-up, the id that the account will have. */
  readonly userId: string;
  /** All factors of the user. */
  readonly factors: readonly Row<"factors">[];
  readonly type: WebauthnType;
  /** Default: `required` for `webauthn-platform`, `discouraged` for `webauthn-roaming`, else `preferred`. */
  readonly userVerification?: UserVerification | undefined;
  /**
   * Whether the browser creates a passkey without a prompt, after a sign-in by password. The authenticator then need not
   * confirm that a user is present. Default: false.
   */
  readonly conditional?: boolean | undefined;
}

/** The text of a prompt to register a credential. */
interface RegistrationPrompt {
  /** Distinguishes the accounts of a user, for example the email address. */
  readonly name: string;
  /** Default: `name`. */
  readonly displayName?: string | undefined;
  /** Default: `platform` and `cross-platform` for the `webauthn-` types, and any authenticator for a passkey. */
  readonly attachment?: AuthenticatorAttachment | undefined;
  /** Whether authenticators that already have a credential of the user are excluded. Default: true. */
  readonly excludeKnown?: boolean | undefined;
  /** How long the browser waits for the user, in milliseconds. Default: 10 minutes. */
  readonly timeout?: number | undefined;
}

interface TypeDefaults {
  readonly attachment?: AuthenticatorAttachment;
  readonly residentKey: "required" | "discouraged";
  readonly userVerification: UserVerification;
  /** What the browser suggests to the user. Without it, browsers also offer phones for `cross-platform`. */
  readonly hints?: NonNullable<CreationOptions["hints"]>;
}

const typeDefaults: Readonly<Record<WebauthnType, TypeDefaults>> = {
  passkey: { residentKey: "required", userVerification: "preferred" },
  "webauthn-platform": { attachment: "platform", residentKey: "discouraged", userVerification: "required" },
  "webauthn-roaming": {
    attachment: "cross-platform",
    residentKey: "discouraged",
    userVerification: "discouraged",
    hints: ["security-key"],
  },
};

/** Creates the options for `navigator.credentials.create()`. Stores nothing. */
export async function registrationOptions(
  context: DataContext,
  registration: Registration,
  prompt: RegistrationPrompt,
): Promise<CreationOptions> {
  const { relyingParty, factors, type } = registration;
  const { rpId } = relyingParty;
  const { name, displayName = name, excludeKnown = true, timeout = promptTimeout } = prompt;
  const { residentKey, attachment: attachmentOfType, hints } = typeDefaults[type];
  const attachment = prompt.attachment ?? attachmentOfType;
  const place = await placeOf(context, registration);
  const known = excludeKnown ? credentialsAt(factors, rpId) : [];
  return {
    challenge: await createChallenge(context, place),
    timeout,
    rp: { id: rpId, name: rpId },
    user: { id: place.subject, name, displayName },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: {
      ...(attachment !== undefined && { authenticatorAttachment: attachment }),
      residentKey,
      requireResidentKey: residentKey === "required",
      userVerification: userVerificationOf(registration),
    },
    ...(hints && { hints: [...hints] }),
    attestation: "none",
    excludeCredentials: known.map(({ id, transports }) => ({ id, type: "public-key", transports })),
    extensions: { credProps: true },
  };
}

/** A verified registration. */
export interface VerifiedRegistration {
  readonly outcome: "verified";
  /** The values for `storeFactor`, which rejects a credential that another factor has received in the meantime. */
  readonly values: CredentialValues;
  /** Whether the authenticator verified the user. */
  readonly userVerified: boolean;
}

/**
 * Verifies the result of `navigator.credentials.create()` (WebAuthn section 7.1). Uses the challenge, whatever the
 * outcome. Attestation is not requested: only the format `none` and self attestation are accepted.
 * @param response the result as JSON, which may be any value.
 */
export async function verifyRegistration(
  context: DataContext,
  registration: Registration,
  response: unknown,
): Promise<VerifiedRegistration | Rejection> {
  const parsed = registrationResponseSchema.safeParse(response);
  const clientData = parsed.success ? readClientData(parsed.data.response.clientDataJSON) : undefined;
  if (!parsed.success || clientData === undefined) return rejected("malformed");
  const place = await placeOf(context, registration);
  if (!(await useChallenge(context, place, clientData.challenge))) return rejected("challenge");
  if (clientData.isFramed) return rejected("framed");
  const library = await loadWebauthn();
  const expected = { challenge: clientData.challenge, userHandle: place.subject };
  const verified = await verify(library, registration, parsed.data, expected).catch(rejectedBy);
  if (verified.outcome === "rejected") return verified;
  const isKnown = (await findCredential(context.data, registration.relyingParty.rpId, parsed.data.id)) !== undefined;
  return isKnown ? rejected("known-credential") : verified;
}

/** @throws an error for an invalid response. */
async function verify(
  library: Library,
  registration: Registration,
  { id, rawId, type, response }: RegistrationResponse,
  { challenge, userHandle }: { readonly challenge: string; readonly userHandle: string },
): Promise<VerifiedRegistration | Rejection> {
  const { rpId, origins } = registration.relyingParty;
  const { clientDataJSON, attestationObject, transports } = response;
  if (!isWithoutCertificates(library, attestationObject)) return rejected("attestation");
  const { verified, registrationInfo } = await library.server.verifyRegistrationResponse({
    response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } },
    expectedType: "webauthn.create",
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserPresence: registration.conditional !== true,
    // Checked below, so that the reason is known.
    requireUserVerification: false,
    supportedAlgorithmIDs: [...algorithms],
  });
  if (!verified || registrationInfo.credential.id !== id) return rejected("invalid");
  const { credential, aaguid, userVerified, credentialDeviceType, credentialBackedUp } = registrationInfo;
  if (!isSupportedKey(library, credential.publicKey)) return rejected("unsupported-key");
  if (userVerificationOf(registration) === "required" && !userVerified) return rejected("user-verification");
  const backupEligible = credentialDeviceType === "multiDevice";
  const values = await toCredentialValues(
    {
      id,
      rp_id: rpId,
      public_key: base64url.encode(credential.publicKey),
      user_handle: userHandle,
      aaguid,
      transports: knownTransports(transports),
      device_type: backupEligible ? "multi_device" : "single_device",
      backed_up: credentialBackedUp,
      backup_eligible: backupEligible,
      uv_seen: userVerified,
    },
    credential.counter,
  );
  return { outcome: "verified", values, userVerified };
}

/**
 * Whether the attestation needs no certificate: it has the format `none`, or is self attestation, which a browser may
 * return although `none` was requested (WebAuthn section 5.1.3). Certificates are never parsed.
 */
function isWithoutCertificates({ helpers }: Library, attestationObject: string): boolean {
  const attestation = helpers.decodeAttestationObject(new Uint8Array(base64url.decode(attestationObject)));
  const format = attestation.get("fmt");
  return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
}

async function placeOf(
  context: DataContext,
  { relyingParty: { rpId }, boundTo, userId, factors, conditional }: Registration,
): Promise<ChallengePlace> {
  const subject = await userHandleOf(context, rpId, userId, factors);
  return { ceremony: conditional === true ? "conditional-create" : "create", rpId, boundTo, subject };
}

function userVerificationOf({ type, userVerification }: Registration): UserVerification {
  return userVerification ?? typeDefaults[type].userVerification;
}
