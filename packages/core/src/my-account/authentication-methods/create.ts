import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { Reply } from "../../http/route.ts";
import { invalidInput } from "../../http/validation.ts";
import { addableByApi } from "../../identity/factors/factor-policy.ts";
import { canHaveRecoveryCode, recoveryCodeId, recoveryCodeOfForm } from "../../identity/factors/recovery-code.ts";
import { authenticatorUri, startApp, startTarget } from "../../login/factors/new-factor.ts";
import { keyCreation } from "../../login/factors/new-key.ts";
import { emailSchema } from "../../model/email-address.ts";
import { messageTypeSchema, multifactorSettings } from "../../model/factors/multifactor.ts";
import { phoneNumberSchema } from "../../model/phone-number.ts";
import { meRoute, type MeContext } from "../me-route.ts";
import { offersPasskeys } from "../passkeys-offered.ts";
import { requireChange, type ChangingUser } from "../require-change.ts";
import { authSessionOf } from "./pending.ts";
import { newRecoveryNonce } from "./recovery-code.ts";

const connection = z.string().max(128).exactOptional();
const identityUserId = z.string().max(255).exactOptional();

const bodySchema = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("totp") }),
    z.object({ type: z.literal("recovery-code") }),
    z.object({
      type: z.literal("phone"),
      phone_number: phoneNumberSchema,
      preferred_authentication_method: messageTypeSchema.exactOptional(),
    }),
    z.object({ type: z.literal("email"), email: emailSchema }),
    z.object({ type: z.literal("passkey"), connection, identity_user_id: identityUserId }),
  ])
  .meta({ id: "CreateMyAuthenticationMethod" });

const auth_session = z.string().meta({ description: "Required to confirm the method" });

const replySchema = z
  .object({
    auth_session,
    id: z.string().exactOptional().meta({ description: "Omitted for a passkey, which has no id before it is confirmed" }),
    barcode_uri: z.string().exactOptional().meta({ description: "The `otpauth:` URI for the QR code of an authenticator app" }),
    manual_input_code: z.string().exactOptional().meta({ description: "The key of an authenticator app in base32" }),
    recovery_code: z.string().exactOptional().meta({ description: "Show it to the user: it is not returned again" }),
    authn_params_public_key: z
      .looseObject({})
      .exactOptional()
      .meta({ description: "The argument `publicKey` of `navigator.credentials.create()`" }),
  })
  .meta({ id: "NewMyAuthenticationMethod" });

/** Starts to add an authentication method. It counts when it is confirmed, within ten minutes. */
export const createMyAuthenticationMethod = meRoute({
  method: "POST",
  path: "/me/v1/authentication-methods",
  summary: "Start to add an authentication method",
  description:
    "The header `Location` has the URL of the new method. Confirm it with a POST to that URL with `/verify` at its end, by the same session.",
  scopes: ["create:me:authentication_methods"],
  body: bodySchema,
  responses: {
    202: replySchema,
    400: {
      error: "invalid_request, unsupported_challenge_type: the user cannot add this type now, access_denied: the user reported a change",
    },
    401: { error: "invalid_token: the token is not valid, or the user must authenticate again" },
    403: { error: "insufficient_scope" },
    409: { error: "conflict: the user has too many methods" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many codes were requested" },
  },
})(async ({ body }, context) => {
  const changing = await requireChange(context);
  const started = await start(context, changing, body);
  const { id = "passkey|new" } = started;
  const location = context.tenant.urls.urlFor(`/me/v1/authentication-methods/${encodeURIComponent(id)}`);
  return new Reply(started, { status: 202, headers: { location } });
});

async function start(
  context: MeContext,
  { situation, factors, factorContext }: ChangingUser,
  body: z.infer<typeof bodySchema>,
): Promise<z.infer<typeof replySchema>> {
  const { tenant, mfaToken } = context;
  const { user } = mfaToken;
  switch (body.type) {
    case "passkey": {
      const { publicKey } = (await offersPasskeys(context)) ? await keyCreation(factorContext, "passkey") : {};
      if (publicKey === undefined) throw notOffered(body.type);
      return { auth_session: await authSessionOf(context, "passkey"), authn_params_public_key: { ...publicKey } };
    }
    case "recovery-code": {
      if (!canHaveRecoveryCode(multifactorSettings(tenant.record), factors)) throw notOffered(body.type);
      const nonce = newRecoveryNonce(tenant, factors);
      const { code } = await recoveryCodeOfForm(tenant, [context.sessionId, nonce]);
      return { id: await recoveryCodeId(user.user_id), auth_session: await authSessionOf(context, nonce), recovery_code: code };
    }
    default: {
      if (!addableByApi(situation).includes(body.type)) throw notOffered(body.type);
      if (body.type === "totp") {
        const { factor, secret } = await startApp(factorContext);
        const barcode_uri = authenticatorUri(tenant, user, secret);
        return { id: factor.id, auth_session: await authSessionOf(context, factor.id), barcode_uri, manual_input_code: secret };
      }
      const address = body.type === "phone" ? body.phone_number : body.email;
      const channel = body.type === "phone" ? { channel: body.preferred_authentication_method ?? ("sms" as const) } : {};
      const added = await startTarget(factorContext, { type: body.type, address, ...channel });
      if (added === "used")
        throw invalidInput(
          "body",
          `'${body.type === "phone" ? "phone_number" : "email"}' was used to sign in, so it cannot be a second factor`,
        );
      if (added.refusal !== undefined) throw added.refusal.error;
      return { id: added.factor.id, auth_session: await authSessionOf(context, added.factor.id) };
    }
  }
}

function notOffered(type: string): PosternError {
  return new PosternError("unsupported_challenge_type", `the user cannot add an authentication method of the type '${type}' now`);
}
