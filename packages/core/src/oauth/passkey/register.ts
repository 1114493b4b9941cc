import { PosternError } from "../../errors.ts";
import { boundedMetadata } from "../../identity/users/metadata.ts";
import { signUpFields } from "../../identity/users/sign-up-fields.ts";
import { findFieldFault, isUsernameTaken } from "../../identity/users/sign-up.ts";
import { registrationOptions, type Registration } from "../../identity/webauthn/registration.ts";
import type { RelyingParty } from "../../identity/webauthn/relying-party.ts";
import { invalidBody } from "../../model/settings.ts";
import type { Row } from "../../store/schema.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { PasskeyAuthSession } from "./auth-session.ts";
import { passkeyRegisterReplySchema, passkeyRegisterRequestSchema } from "./bodies.ts";
import { passkeyTimeout } from "./challenge.ts";
import { requireAssignedMembership } from "./membership.ts";
import { openPasskeyPlace } from "./place.ts";
import { startPasskeyChallenge } from "./start-challenge.ts";

/**
 * Returns the options with which a visitor creates a passkey for a new account. The account is created by the grant.
 * Scripts of the named client can read the response (CORS).
 *
 * Auth0 responds with 400 if an account with the identifiers exists. Here, only the grant does, as `/dbconnections/signup`
 * does: a request that neither creates an account nor sends a mail would let anyone test which email addresses and phone
 * numbers have accounts. Usernames are no secret, so a taken username is rejected at once.
 */
export const passkeyRegister = route({
  method: "POST",
  path: "/passkey/register",
  summary: "Request options to sign up with a passkey",
  scopes: "public",
  cors: "client",
  tenantHints: ["client_id"],
  body: passkeyRegisterRequestSchema,
  failureEvent: () => "fs",
  responses: {
    200: passkeyRegisterReplySchema,
    400: {
      error:
        "invalid_request: also if the client is not first-party or may not use the grant, the connection does not accept a member of " +
        "user_profile, or the username is taken. access_denied: sign-up is not allowed",
    },
    401: { error: "invalid_client" },
    404: { error: "not_found: passkeys are not enabled for the connection, or do not work on this host" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After" },
  },
})(async ({ body, request }, context) => {
  const place = await openPasskeyPlace(context.tenant, request, body);
  const { tenant, connection, relyingParty, organization } = place;
  const { user_profile: profile, user_metadata: metadata } = body;
  const { closedBecause } = signUpFields(connection);
  if (closedBecause !== undefined) throw new PosternError("access_denied", closedBecause);
  const fault = await findFieldFault(connection, profile);
  if (fault !== undefined) throw invalidBody(fault.message);
  boundedMetadata(tenant.config.metadataBytes, { app_metadata: {}, user_metadata: metadata ?? {} });
  const { email = "", username = "", phone_number: phone = "", name = "" } = profile;
  if (username.trim() !== "" && (await isUsernameTaken(tenant, connection, username.trim())))
    throw new PosternError("invalid_request", "'username' is taken");
  if (organization !== undefined) await requireAssignedMembership(tenant, connection.id, organization.id);

  const id = tenant.random.token(24);
  const account = { id: tenant.random.record(), profile, ...(metadata !== undefined && { metadata }) };
  const label = email.trim() || username.trim() || phone.trim();
  const { challenge, timeout, rp, user, pubKeyCredParams } = await registrationOptions(
    tenant,
    newPasskeyOf(connection, relyingParty, { id, account }),
    { name: label, displayName: name || label, timeout: passkeyTimeout },
  );
  return {
    auth_session: await startPasskeyChallenge(place, { id, account }, "A passkey was requested for a new account."),
    authn_params_public_key: {
      challenge,
      timeout,
      rp,
      user,
      pubKeyCredParams,
      authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
    },
  };
});

/**
 * Returns the registration of the passkey of a new account. The id of the account is random, so no two accounts share a
 * user handle: an authenticator would overwrite the passkey of the first.
 */
export function newPasskeyOf(
  connection: Row<"connections">,
  relyingParty: RelyingParty,
  { id, account }: Pick<PasskeyAuthSession, "id"> & { readonly account: { readonly id: string } },
): Registration {
  return {
    relyingParty,
    boundTo: id,
    userId: `${connection.name}|${account.id}`,
    factors: [],
    type: "passkey",
    userVerification: "required",
  };
}
