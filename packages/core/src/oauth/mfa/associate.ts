import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { invalidInput } from "../../http/validation.ts";
import { areFactorsFrozen, frozenFactors } from "../../identity/factors/frozen-factors.ts";
import { storeFactorAddition, storeNewFactor, type OpenMfaToken } from "../../identity/factors/mfa-token.ts";
import { getsRecoveryCode, newRecoveryCode, type HashedRecoveryCode } from "../../identity/factors/recovery-code.ts";
import type { FactorContext } from "../../login/factors/context.ts";
import { authenticatorUri, startApp, startTarget } from "../../login/factors/new-factor.ts";
import { canCall, phoneChannels } from "../../messages/phone-channels.ts";
import { toApiFactorType, type FactorType } from "../../model/factors/factor-types.ts";
import { multifactorSettings, type MessageType } from "../../model/factors/multifactor.ts";
import { emailSchema } from "../../model/email-address.ts";
import { readPhoneNumber } from "../../model/phone-number.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import type { Row } from "../../store/schema.ts";
import { route, type MfaContext } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { requestedLanguages } from "../passwordless/requested-languages.ts";
import { oobChannelSchema } from "./authenticator.ts";
import { sealOobCode } from "./oob-code.ts";
import {
  mfaFactorContext,
  openWaitingGrant,
  requireEnrollment,
  requireFactorChange,
  requireMfaGrant,
  type WaitingGrant,
} from "./waiting-grant.ts";

const associateRequestSchema = z
  .object({
    authenticator_types: z.array(z.enum(["otp", "oob"])).length(1),
    oob_channels: z
      .array(z.enum(["sms", "email", "voice", "auth0"]))
      .min(1)
      .max(4)
      .exactOptional()
      .meta({
        description:
          "Required for `oob`: `sms`, `email`, or `voice` if the tenant offers voice calls. Push notifications (`auth0`) are rejected",
      }),
    phone_number: z
      .string()
      .max(100)
      .exactOptional()
      .meta({ description: "For `sms` and `voice`: the number with + and the country code" }),
    email: z.string().max(320).exactOptional().meta({ description: "For `email`. Default: the account's email address" }),
    client_id: z.string().exactOptional().meta({ description: "If it is sent, it must be the client that the token was issued to" }),
    client_secret: z.string().exactOptional(),
  })
  .meta({ id: "MfaAssociateRequest" });

type AssociateRequest = z.infer<typeof associateRequestSchema>;

const recovery_codes = z.array(z.string()).exactOptional().meta({
  description: "The recovery code, valid as soon as the authenticator is confirmed. Show it to the user: it is not returned again",
});

const associateReplySchema = z
  .xor([
    z.strictObject({
      authenticator_type: z.literal("otp"),
      id: z.string(),
      secret: z.string().meta({ description: "The key in base32" }),
      barcode_uri: z.string().meta({ description: "The `otpauth:` URI for the QR code" }),
      recovery_codes,
    }),
    z.strictObject({
      authenticator_type: z.literal("oob"),
      id: z.string(),
      oob_channel: oobChannelSchema,
      oob_code: z.string().meta({ description: "The `oob_code` for the grant `mfa-oob`, which confirms the authenticator" }),
      binding_method: z.literal("prompt"),
      recovery_codes,
    }),
  ])
  .meta({ id: "MfaAssociateReply" });

/**
 * Starts to add an authenticator: with an `mfa_token` for a user who has none, with an access token of the MFA API for
 * every user. The first code at the token endpoint confirms it. Unconfirmed authenticators expire after ten minutes.
 */
export const mfaAssociate = route({
  method: "POST",
  path: "/mfa/associate",
  summary: "Add an authenticator",
  description:
    "Requires an `mfa_token` of a user without authenticators, or an access token for `<issuer>mfa/` with the scope `enroll`. The grants accept the same token as `mfa_token`.",
  scopes: "mfa",
  body: associateRequestSchema,
  responses: {
    200: associateReplySchema,
    400: {
      error:
        "invalid_request, access_denied: the user has an authenticator already, or cannot add one for 24 hours after they reported a change, unsupported_challenge_type: the tenant does not offer the type",
    },
    401: {
      error:
        "invalid_token: the token is missing or invalid, or the user must pass a second factor again. expired_token: the user must sign in again",
    },
    403: { error: "invalid_grant: the mfa_token is unknown. insufficient_scope" },
    409: { error: "conflict: the user has too many authenticators" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many codes were requested" },
  },
})(async ({ body, request }, context) => {
  const { client, mfaToken } = context;
  if (body.client_id !== undefined && body.client_id !== client.record.client_id)
    throw new PosternError("invalid_request", mfaTexts.otherClient);
  const channel = channelOf(context.tenant, body);
  const type = typeOf(channel);
  await requireFactorChange(context, "enroll");
  requireMfaGrant(client);
  const waiting = await openWaitingGrant(context);
  requireEnrollment(waiting);
  if (areFactorsFrozen(context.tenant, waiting.token.user)) throw frozenFactors();
  if (!waiting.decision.types.includes(type))
    throw new PosternError("unsupported_challenge_type", `the user cannot add an authenticator of the type '${toApiFactorType(type)}' now`);
  const recovery = await firstRecoveryCode(context, waiting);
  if (context.scope !== undefined) await storeFactorAddition(context.tenant, mfaToken);
  const factorContext = mfaFactorContext(context, waiting, requestedLanguages(request));
  const added =
    channel === "otp"
      ? await addApp(factorContext, mfaToken, recovery?.hash)
      : await addTarget(context, factorContext, { body, channel, codeHash: recovery?.hash });
  return { ...added, ...(recovery !== undefined && { recovery_codes: [recovery.code] }) };
});

/** How the new authenticator gets its codes. `otp`: an app computes them. */
type NewChannel = MessageType | "email" | "otp";

function channelOf(tenant: RequestTenant, { authenticator_types: [type], oob_channels: requested }: AssociateRequest): NewChannel {
  if (type === "otp") return "otp";
  if (requested === undefined) throw invalidInput("body", "'oob_channels' is missing");
  const offered = phoneChannels(tenant);
  for (const channel of ["sms", "email", "voice"] as const)
    if (requested.includes(channel) && (channel === "email" || offered.includes(channel))) return channel;
  throw invalidInput(
    "body",
    canCall(tenant)
      ? `'oob_channels' must contain ${offered.join(", ")} or email: these are the channels that the tenant offers`
      : "'oob_channels' must contain sms or email: this tenant offers no voice calls, and push notifications are not supported",
  );
}

function typeOf(channel: NewChannel): Extract<FactorType, "totp" | "phone" | "email"> {
  if (channel === "otp") return "totp";
  return channel === "email" ? "email" : "phone";
}

/**
 * Creates the recovery code for the user's first factor, unless the user has one. Its hash is stored with the unconfirmed
 * factor and becomes valid with the confirmation, so that an attacker who knows only the password gets no valid code.
 */
async function firstRecoveryCode({ tenant }: MfaContext, { token, factors }: WaitingGrant): Promise<HashedRecoveryCode | undefined> {
  const isFirst = token.request.passed.length === 0;
  return isFirst && getsRecoveryCode(multifactorSettings(tenant.record), factors) ? newRecoveryCode(tenant) : undefined;
}

async function addApp(context: FactorContext, mfaToken: OpenMfaToken, codeHash: string | undefined) {
  const { tenant, user } = context;
  const { factor, secret } = await startApp(context, codeHash);
  await storeNewFactor(tenant, mfaToken, factor.id);
  return { authenticator_type: "otp", id: factor.id, secret, barcode_uri: authenticatorUri(tenant, user, secret) } as const;
}

/** A phone or an email address that the user adds. */
interface NewTarget {
  readonly body: AssociateRequest;
  readonly channel: Exclude<NewChannel, "otp">;
  readonly codeHash: string | undefined;
}

async function addTarget(context: MfaContext, factorContext: FactorContext, { body, channel, codeHash }: NewTarget) {
  const type = channel === "email" ? "email" : "phone";
  const address = await readAddress(type, body, factorContext.user);
  const started = await startTarget(factorContext, { type, address, codeHash, ...(channel !== "email" && { channel }) });
  if (started === "used")
    throw invalidInput("body", `'${channel === "email" ? "email" : "phone_number"}' was used to sign in, so it cannot be a second factor`);
  if (started.refusal !== undefined) throw started.refusal.error;
  const { id } = started.factor;
  const oob_code = await sealOobCode(context, context.mfaToken, { target: id, type, purpose: "add-factor" });
  return { authenticator_type: "oob", id, oob_channel: channel, oob_code, binding_method: "prompt" } as const;
}

/** @throws {PosternError} `invalid_request` if the phone number or the email address is invalid. */
async function readAddress(type: "phone" | "email", body: AssociateRequest, { email: ownEmail }: Row<"users">): Promise<string> {
  if (type === "email") {
    const { data: email } = emailSchema.safeParse((body.email ?? ownEmail).trim());
    if (email === undefined) throw invalidInput("body", "'email' must be an email address");
    return email;
  }
  const read = await readPhoneNumber(body.phone_number ?? "");
  if ("fault" in read) throw invalidInput("body", `'phone_number' ${read.fault}`);
  return read.number;
}
