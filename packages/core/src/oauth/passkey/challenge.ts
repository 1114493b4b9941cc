import { passkeyAuthentication } from "../../identity/login/passkey-login.ts";
import { authenticationOptions } from "../../identity/webauthn/authentication.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { passkeyChallengeReplySchema, passkeyChallengeRequestSchema } from "./bodies.ts";
import { openPasskeyPlace } from "./place.ts";
import { startPasskeyChallenge } from "./start-challenge.ts";

/** How long an authenticator waits for the user, in milliseconds, as in Auth0. */
export const passkeyTimeout = 60_000;

/**
 * Returns the options with which a user signs in with a passkey. They are the same for every user and name no passkey, so
 * they do not reveal which accounts exist. Scripts of the named client can read the response (CORS).
 */
export const passkeyChallenge = route({
  method: "POST",
  path: "/passkey/challenge",
  summary: "Request options to sign in with a passkey",
  scopes: "public",
  cors: "client",
  tenantHints: ["client_id"],
  body: passkeyChallengeRequestSchema,
  failureEvent: () => "passkey_challenge_failed",
  responses: {
    200: passkeyChallengeReplySchema,
    400: { error: "invalid_request: also if the client is not first-party or may not use the grant" },
    401: { error: "invalid_client" },
    404: { error: "not_found: passkeys are not enabled for the connection, or do not work on this host" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After" },
  },
})(async ({ body, request }, context) => {
  const place = await openPasskeyPlace(context.tenant, request, body);
  const { tenant, relyingParty } = place;
  const id = tenant.random.token(24);
  const authentication = passkeyAuthentication(relyingParty, id);
  const { challenge, timeout, rpId } = await authenticationOptions(tenant, authentication, [], passkeyTimeout);
  return {
    auth_session: await startPasskeyChallenge(place, { id }, "A passkey was requested to sign in."),
    authn_params_public_key: { challenge, timeout, rpId, userVerification: "preferred" },
  };
});
