import { invalidSignUp } from "../../model/sdk-texts.ts";
import type { Row } from "../../store/schema.ts";
import type { PasswordFault } from "../../identity/passwords/policy.ts";
import { signUp } from "../../identity/users/sign-up.ts";
import { PosternError } from "../../errors.ts";
import { Reply } from "../../http/route.ts";
import { toTimestamp } from "../../model/fields.ts";
import { invalidBody } from "../../model/settings.ts";
import { localUserId } from "../../model/users/users.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { findDatabase } from "./database.ts";
import { signUpRefusalSchema, type SignUpRefusal, signUpReplySchema, type SignUpReply, signUpRequestSchema } from "./signup-bodies.ts";
import { sendSignUpMail } from "./signup-mail.ts";

/** Creates an account with a password, as in Auth0. Scripts of the named client can read the response (CORS). */
export const signup = route({
  method: "POST",
  path: "/dbconnections/signup",
  summary: "Sign up with a password",
  scopes: "public",
  cors: "client",
  tenantHints: ["client_id"],
  body: signUpRequestSchema,
  failureEvent: () => "fs",
  responses: { 200: signUpReplySchema, 400: signUpRefusalSchema, 401: { error: "invalid_client" } },
})(async ({ body: { client_id, connection, ...sent } }, { tenant }) => {
  const { client, database } = await findDatabase(tenant, {
    ...(client_id !== undefined && { client_id }),
    ...(connection !== undefined && { connection }),
  });
  if (database === undefined) throw invalidBody("'connection' must be a password database of the client");
  const signedUp = await signUp(tenant, { connection: database, client, sent });
  switch (signedUp.kind) {
    case "closed":
      throw new PosternError("access_denied", signedUp.message);
    case "invalid":
      throw invalidBody(signedUp.fault.message);
    case "denied":
      return refusal(deniedRefusal(signedUp.message));
    case "refused":
      await signedUp.recorded;
      return refusal(passwordRefusal(signedUp.fault));
    case "taken":
      await Promise.all([signedUp.recorded, sendSignUpMail(tenant, client, database, signedUp)]);
      return refusal(takenRefusal);
    case "created":
      await Promise.all([signedUp.recorded, sendSignUpMail(tenant, client, database, signedUp)]);
      return toReply(signedUp.user, sent);
  }
});

type Refusal = Omit<SignUpRefusal, "statusCode">;

function refusal(body: Refusal): Reply<SignUpRefusal> {
  return new Reply({ ...body, statusCode: 400 as const }, { status: 400 });
}

/** Does not reveal which identifier is taken. Only the email to the owner of the existing account does. */
const takenRefusal: Refusal = {
  error: "invalid_signup",
  error_description: invalidSignUp,
  name: "BadRequestError",
  code: "invalid_signup",
  description: invalidSignUp,
};

/** Returns the error for a sign-up that an action of the host application denied, with the message of that action. */
function deniedRefusal(message: string): Refusal {
  return { error: "access_denied", error_description: message, name: "BadRequestError", code: "extensibility_error", description: message };
}

/**
 * Omits `error_description` if the rules of the password policy are included, because Auth0's SDKs would display the
 * description instead of the rules.
 */
function passwordRefusal({ name: fault, message, code, description, policy }: PasswordFault): Refusal {
  return {
    error: code,
    ...(policy === undefined && { error_description: message }),
    name: fault,
    code,
    description,
    ...(policy !== undefined && { policy }),
  };
}

/** Returns the members that were sent, with their stored values. */
function toReply(user: Row<"users">, sent: object): SignUpReply {
  const echoed = (["username", "given_name", "family_name", "name", "nickname", "picture", "user_metadata"] as const)
    .filter((field) => field in sent)
    .map((field) => [field, user[field]] as const);
  return {
    id: user.user_id,
    _id: localUserId(user.user_id),
    ...(user.email !== "" && { email: user.email }),
    email_verified: user.email_verified,
    ...(user.phone_number !== null && { phone_number: user.phone_number, phone_verified: user.phone_verified }),
    ...Object.fromEntries(echoed.filter(([, value]) => value !== null)),
    created_at: toTimestamp(user.created_at),
    updated_at: toTimestamp(user.updated_at),
  };
}
