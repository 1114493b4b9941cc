import * as z from "zod";
import { withMaximumKeys } from "../../model/member-count.ts";
import { signUpProfileFields } from "../dbconnections/signup-bodies.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";
import { newCredentialFields } from "../../model/factors/webauthn.ts";

/** The profile of a new account. Unknown members are rejected, as in Auth0. */
export const userProfileSchema = z.strictObject(signUpProfileFields).meta({ id: "PasskeyUserProfile" });

/** The metadata of a new account, with the limits of Auth0. */
export const userMetadataSchema = withMaximumKeys(z.record(z.string().min(1).max(100), z.string().max(500)), 10).meta({
  description: "At most 10 members whose values are strings of at most 500 characters",
});

/** The members that the bodies of both requests have. */
const placeFields = {
  client_id: clientIdSchema,
  client_secret: z.string().exactOptional().meta({ description: "If it is sent, it must be correct" }),
  client_assertion: z.string().exactOptional(),
  client_assertion_type: z.string().exactOptional(),
  realm: z.string().min(1).max(128).exactOptional().meta({
    description:
      "The name of a password database. Default: the tenant's default directory, else the client's first connection with passkeys",
  }),
  organization: z.string().min(1).max(255).exactOptional().meta({ description: "The id or the name of an organization" }),
};

/** The body of `POST /passkey/register`. */
export const passkeyRegisterRequestSchema = z
  .object({ ...placeFields, user_profile: userProfileSchema, user_metadata: userMetadataSchema.exactOptional() })
  .meta({ id: "PasskeyRegisterRequest" });

/** The body of `POST /passkey/challenge`. */
export const passkeyChallengeRequestSchema = z.object(placeFields).meta({ id: "PasskeyChallengeRequest" });

const authSession = z.string().meta({ description: "For the grant `urn:okta:params:oauth:grant-type:webauthn`. Valid for 10 minutes" });

/**
 * How user verification is described to authenticators. Auth0 sends `preferred`, and its SDKs pass it on. The grant
 * nevertheless requires that the authenticator verified the user, because no other factor does.
 */
const userVerification = z.literal("preferred").meta({
  description: "The grant requires that the authenticator verified the user, although the options only prefer it, as in Auth0",
});

/** The response of `POST /passkey/register`. */
export const passkeyRegisterReplySchema = z
  .strictObject({
    auth_session: authSession,
    authn_params_public_key: z
      .strictObject({
        ...newCredentialFields,
        authenticatorSelection: z.strictObject({ residentKey: z.literal("required"), userVerification }),
      })
      .meta({ description: "The argument of `PublicKeyCredential.parseCreationOptionsFromJSON()`" }),
  })
  .meta({ id: "PasskeyRegisterReply" });

/** The response of `POST /passkey/challenge`. */
export const passkeyChallengeReplySchema = z
  .strictObject({
    auth_session: authSession,
    authn_params_public_key: z
      .strictObject({ challenge: z.string(), timeout: z.int().positive(), rpId: z.string(), userVerification })
      .meta({ description: "The argument of `PublicKeyCredential.parseRequestOptionsFromJSON()`" }),
  })
  .meta({ id: "PasskeyChallengeReply" });
