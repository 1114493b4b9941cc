import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { Reply } from "../../http/route.ts";
import { findFactor } from "../../identity/factors/factors.ts";
import { canHaveRecoveryCode, recoveryCodeId, recoveryCodeOfForm } from "../../identity/factors/recovery-code.ts";
import { replaceRecoveryCode } from "../../identity/factors/replace-recovery-code.ts";
import { addFactor } from "../../identity/sessions/session.ts";
import { confirmNewFactor, confirmNewKey, type EnrollmentContext, type NewFactorResult } from "../../login/factors/confirm-new-factor.ts";
import { keyRegistration } from "../../login/factors/new-key.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import { myAuthenticationMethodSchema, toMyMethod } from "../../model/my-account/authentication-methods.ts";
import { alreadyEnrolled } from "../../oauth/mfa/waiting-grant.ts";
import { findOne } from "../../store/find-one.ts";
import { meRoute, type MeContext } from "../me-route.ts";
import { requireChange } from "../require-change.ts";
import { readAuthSession, requirePending } from "./pending.ts";
import { noSuchMethod } from "./read.ts";
import { isConfirmable } from "./recovery-code.ts";

const bodySchema = z
  .object({
    auth_session: z.string().max(300),
    otp_code: z.string().max(100).exactOptional().meta({ description: "The code of the authenticator app, the text message or the email" }),
    authn_response: z.looseObject({}).exactOptional().meta({ description: "The credential that the browser created, as JSON" }),
  })
  .meta({ id: "VerifyMyAuthenticationMethod" });

/** Confirms a new authentication method with its first code, or with the credential that the browser created. */
export const verifyMyAuthenticationMethod = meRoute({
  method: "POST",
  path: "/me/v1/authentication-methods/:authentication_method_id/verify",
  summary: "Confirm a new authentication method",
  scopes: ["create:me:authentication_methods"],
  body: bodySchema,
  responses: {
    201: myAuthenticationMethodSchema,
    400: { error: "invalid_request, access_denied: the user has another method already, or reported a change" },
    401: { error: "invalid_token: the token is not valid, or the user must authenticate again" },
    403: { error: "invalid_grant: the code or the credential is wrong. insufficient_scope" },
    404: { error: "not_found: the user adds no such method in this session, or it has expired" },
    409: { error: "conflict" },
    429: { error: "TOO_MANY_REQUESTS: too many codes were wrong" },
  },
})(async ({ params: { authentication_method_id: id }, body }, context) => {
  const factor = await confirm(context, id, body);
  return new Reply(toMyMethod(factor), { status: 201 });
});

async function confirm(context: MeContext, id: string, body: z.infer<typeof bodySchema>): Promise<Factor> {
  const { tenant, client, mfaToken, sessionId } = context;
  const { user } = mfaToken;
  const { factors, factorContext } = await requireChange(context);
  if (id === (await recoveryCodeId(user.user_id))) {
    const nonce = await readAuthSession(context, body.auth_session);
    const { hash } = await recoveryCodeOfForm(tenant, [sessionId, nonce]);
    if (!canHaveRecoveryCode(multifactorSettings(tenant.record), factors) || !isConfirmable(tenant, factors, nonce, hash))
      throw noSuchMethod();
    await replaceRecoveryCode(tenant, { user, client }, hash);
    return requireFactor(context, id);
  }
  // The first recovery code is a separate authentication method in this API.
  const enrollment: EnrollmentContext = { ...factorContext, prepare: async () => undefined };
  if (id === "passkey|new") {
    if ((await readAuthSession(context, body.auth_session)) !== "passkey") throw noSuchMethod();
    const registration = await keyRegistration(factorContext, "passkey");
    return accept(context, await confirmNewKey(enrollment, registration, JSON.stringify(body.authn_response ?? {})));
  }
  const pending = await requirePending(context, id, body.auth_session);
  return accept(context, await confirmNewFactor(enrollment, pending, { code: body.otp_code ?? "", form: undefined }));
}

/** Returns the confirmed factor, which counts in the session from now on. @throws {PosternError} if it was not confirmed. */
async function accept(context: MeContext, result: NewFactorResult): Promise<Factor> {
  const { tenant, sessionId } = context;
  switch (result.kind) {
    case "confirmed": {
      const session = await findOne(tenant.data.sessions, { id: sessionId });
      if (session !== undefined) await addFactor(tenant, session, { type: result.type, at: tenant.now() });
      return requireFactor(context, result.factor.id);
    }
    case "already-enrolled":
      throw alreadyEnrolled();
    case "rejected":
      throw result.problem === "too-many-attempts"
        ? new PosternError("TOO_MANY_REQUESTS", "too many codes were wrong: try again later")
        : new PosternError("invalid_grant", "the code or the credential is wrong", { status: 403 });
    default:
      throw noSuchMethod();
  }
}

async function requireFactor({ tenant, mfaToken }: MeContext, id: string): Promise<Factor> {
  const factor = await findFactor(tenant.data, mfaToken.user.user_id, id);
  if (factor === undefined) throw noSuchMethod();
  return factor;
}
