import { base64url } from "jose";
import type { DataContext, TenantContext } from "../../context.ts";
import {
  authenticationResponseSchema,
  type AuthenticationResponse,
  type AuthenticatorAttachment,
  type RequestOptions,
  type UserVerification,
} from "../../model/factors/webauthn.ts";
import { isFactorOfLinked } from "../factors/linked-factors.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { createChallenge, promptTimeout, useChallenge, type ChallengePlace } from "./challenge.ts";
import { readClientData } from "./client-data.ts";
import { credentialSchema, type Credential, credentialsAt, findCredential, webauthnTypes, type WebauthnType } from "./credential.ts";
import { loadWebauthn } from "./library.ts";
import { rejected, rejectedBy, type Rejection } from "./rejection.ts";
import type { RelyingParty } from "./relying-party.ts";

/** An authentication with a credential. The options and the verification need equal values. */
export interface Authentication {
  readonly relyingParty: RelyingParty;
  /** The id of the login session, the `auth_session` or the session that the authentication belongs to. */
  readonly boundTo: string;
  /** The id of the primary account that must authenticate. Omit it if any user of the tenant may sign in. */
  readonly userId?: string | undefined;
  /**
   * Use `required` if the credential is the only factor, or if the authentication counts as two factors. With
   * `preferred` and `discouraged`, the result says whether the authenticator verified the user.
   */
  readonly userVerification: UserVerification;
}

/**
 * Creates the options for `navigator.credentials.get()`. Stores nothing and does not load the WebAuthn library, because
 * each page with an identifier field contains such options.
 * @param factors the factors of the user who must authenticate. Pass none before the user has authenticated with
 * another factor, because the options reveal the ids of their credentials. Without `userId` they are ignored. If none of
 * them is a credential for the RP ID, the browser offers any credential, which is then rejected.
 * @param timeout how long the browser waits for the user, in milliseconds. Default: 10 minutes.
 */
export async function authenticationOptions(
  context: DataContext,
  authentication: Authentication,
  factors: readonly Row<"factors">[] = [],
  timeout: number = promptTimeout,
): Promise<RequestOptions> {
  const { relyingParty, userId, userVerification } = authentication;
  const { rpId } = relyingParty;
  const allowed = userId === undefined ? [] : credentialsAt(factors, rpId);
  return {
    challenge: await createChallenge(context, placeOf(authentication)),
    timeout,
    rpId,
    ...(allowed.length > 0 && {
      allowCredentials: allowed.map(({ id, transports }) => ({ id, type: "public-key", transports })),
    }),
    userVerification,
  };
}

/** A verified authentication. */
export interface VerifiedAuthentication {
  readonly outcome: "verified";
  /** The factor as it was read. Its `user_id` is the account that it was added to, which may be linked. */
  readonly factor: Row<"factors">;
  /** Whether the authenticator verified the user, so that the authentication counts as two factors. */
  readonly userVerified: boolean;
  /**
   * Where the authenticator is. `cross-platform` after a sign-in with the passkey of another device: the page can offer
   * to create a passkey on this one. Undefined if the browser does not report it.
   */
  readonly attachment: AuthenticatorAttachment | undefined;
}

/**
 * Verifies the result of `navigator.credentials.get()` (WebAuthn section 7.2), and records the use of the factor. Uses
 * the challenge, whatever the outcome.
 *
 * The signature counter of a single-device credential must exceed the counter that is stored when the verification
 * begins. Parallel authentications of one user therefore all succeed, and a rejection does not disable the credential.
 * The counter of a synced credential may decrease, because its copies count separately: an audit event records that.
 *
 * @param response the result as JSON, which may be any value.
 * @param types the types of factors that are allowed. Default: all types with a WebAuthn credential.
 */
export async function verifyAuthentication(
  context: TenantContext,
  authentication: Authentication,
  response: unknown,
  types: readonly WebauthnType[] = webauthnTypes,
): Promise<VerifiedAuthentication | Rejection> {
  const parsed = authenticationResponseSchema.safeParse(response);
  const clientData = parsed.success ? readClientData(parsed.data.response.clientDataJSON) : undefined;
  if (!parsed.success || clientData === undefined) return rejected("malformed");
  const { challenge, isFramed } = clientData;
  if (!(await useChallenge(context, placeOf(authentication), challenge))) return rejected("challenge");
  if (isFramed) return rejected("framed");

  const { relyingParty, userId, userVerification } = authentication;
  const { id, authenticatorAttachment: attachment } = parsed.data;
  const { userHandle } = parsed.data.response;
  const factor = await findCredential(context.data, relyingParty.rpId, id);
  if (factor === undefined || !types.some((type) => type === factor.type)) return rejected("unknown-credential");
  const isUsers = userId === undefined || factor.user_id === userId || (await isFactorOfLinked(context.data, factor, userId));
  if (!isUsers) return rejected("unknown-credential");
  const credential = credentialSchema.parse(factor.credential);
  // A browser may omit the handle: the credential id identifies the user as well.
  if (userHandle && credential.user_handle !== null && userHandle !== credential.user_handle) return rejected("user-handle");

  const assertion = await verify(relyingParty, parsed.data, { challenge, credential });
  if (assertion.outcome === "rejected") return assertion;
  const { userVerified, backupEligible, counter } = assertion;
  if (userVerification === "required" && !userVerified) return rejected("user-verification");
  if (backupEligible !== (credential.backup_eligible ?? backupEligible)) return rejected("backup-state");
  // Authenticators without a counter always send 0.
  const isCounterValid = counter > factor.sign_count || (counter === 0 && factor.sign_count === 0);
  if (!isCounterValid && !backupEligible) return rejected("counter");
  if (!(await recordUse(context, factor, credential, assertion))) return rejected("unknown-credential");
  if (!isCounterValid) {
    await context.audit({
      type: "w",
      description: "The signature counter of a synced passkey decreased. The passkey may have been copied.",
      user: { user_id: factor.user_id, name: "" },
      details: { factor: { id: factor.id, type: factor.type }, counter, stored_counter: factor.sign_count },
    });
  }
  return {
    outcome: "verified",
    factor,
    userVerified,
    attachment: attachment === "platform" || attachment === "cross-platform" ? attachment : undefined,
  };
}

/** An assertion with a valid signature. */
interface Assertion {
  readonly outcome: "valid";
  readonly userVerified: boolean;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
  readonly counter: number;
}

async function verify(
  { rpId, origins }: RelyingParty,
  { id, rawId, type, response }: AuthenticationResponse,
  { challenge, credential }: { readonly challenge: string; readonly credential: Credential },
): Promise<Assertion | Rejection> {
  const { server } = await loadWebauthn();
  const { clientDataJSON, authenticatorData, signature } = response;
  try {
    const { verified, authenticationInfo } = await server.verifyAuthenticationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature } },
      expectedType: "webauthn.get",
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      // The library rejects each counter that does not exceed this one.
      credential: { id, publicKey: new Uint8Array(base64url.decode(credential.public_key)), counter: 0 },
      // Checked by the caller, so that the reason is known.
      requireUserVerification: false,
    });
    if (!verified) return rejected("invalid");
    const { userVerified, credentialDeviceType, credentialBackedUp: backedUp, newCounter: counter } = authenticationInfo;
    return { outcome: "valid", userVerified, backupEligible: credentialDeviceType === "multiDevice", backedUp, counter };
  } catch (failure) {
    return rejectedBy(failure);
  }
}

/** Stores the counter, the flags and the time. @returns `false` if the factor was removed since it was read. */
async function recordUse(
  context: DataContext,
  { id, user_id }: Row<"factors">,
  credential: Credential,
  { counter, userVerified, backupEligible, backedUp }: Assertion,
): Promise<boolean> {
  const { data } = context;
  const where = { id, user_id };
  const flags = {
    backed_up: backedUp,
    backup_eligible: backupEligible,
    device_type: backupEligible ? "multi_device" : "single_device",
    uv_seen: credential.uv_seen || userVerified,
  } as const;
  if (flags.backed_up !== credential.backed_up || credential.backup_eligible === null || flags.uv_seen !== credential.uv_seen) {
    // If concurrent authentications win every attempt, they store the flags of the same authenticator.
    await changeRow(data.factors, where, (row) => ({ credential: { ...row.credential, ...flags } }));
  }
  const usedAt = { last_used_at: context.now() };
  const add = { revision: 1 };
  // The counter never decreases, whichever of parallel authentications is stored last.
  const raised = await data.factors.update({ ...where, sign_count: { lt: counter } }, { set: { ...usedAt, sign_count: counter }, add });
  return raised === 1 || (await data.factors.update(where, { set: usedAt, add })) === 1;
}

function placeOf({ relyingParty: { rpId }, boundTo, userId = "" }: Authentication): ChallengePlace {
  return { ceremony: "get", rpId, boundTo, subject: userId };
}
