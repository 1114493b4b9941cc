import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { openMfaToken } from "../../identity/factors/mfa-token.ts";
import type { CodeTarget } from "../../identity/factors/factor-code.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import { sendCode } from "../../login/factors/send-code.ts";
import { canCall, phoneChannels } from "../../messages/phone-channels.ts";
import { toApiFactorType, type FactorType } from "../../model/factors/factor-types.ts";
import { route, type ClientContext } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { requestedLanguages } from "../passwordless/requested-languages.ts";
import { listTargets, type ListedTarget } from "./authenticator.ts";
import { sealOobCode } from "./oob-code.ts";
import { challengeTypes, mfaFactorContext, openWaitingGrant, type WaitingGrant } from "./waiting-grant.ts";

const challengeRequestSchema = z
  .object({
    mfa_token: z.string().min(1).max(4096),
    client_id: z.string().exactOptional(),
    client_secret: z.string().exactOptional(),
    client_assertion: z.string().exactOptional(),
    client_assertion_type: z.string().exactOptional(),
    challenge_type: z
      .string()
      .max(100)
      .exactOptional()
      .meta({ description: "The accepted types, separated by spaces: `otp`, `oob`. Default: both" }),
    authenticator_id: z.string().min(1).max(255).exactOptional().meta({
      description:
        "The id of an authenticator. Default: the strongest one that the user has. For a phone, `sms|dev_…` or `voice|dev_…` instead of `phone|dev_…` selects the channel, if the tenant offers voice calls",
    }),
  })
  .meta({ id: "MfaChallengeRequest" });

/** How a client continues after {@link mfaChallenge}. */
const challengeReplySchema = z
  .strictObject({
    challenge_type: z.enum(["otp", "oob"]),
    oob_code: z.string().exactOptional().meta({ description: "The `oob_code` for the grant `mfa-oob`" }),
    binding_method: z
      .literal("prompt")
      .exactOptional()
      .meta({ description: "The user must type the code that was sent, which becomes `binding_code`" }),
  })
  .meta({ id: "MfaChallengeReply" });

/** Requests a challenge for an enrolled factor. Sends a code if the factor needs one. Never enrolls a factor. */
export const mfaChallenge = route({
  method: "POST",
  path: "/mfa/challenge",
  summary: "Request a challenge for a second factor",
  scopes: "client",
  bodyKind: "json-or-form",
  body: challengeRequestSchema,
  responses: {
    200: challengeReplySchema,
    400: {
      error:
        "invalid_request, unauthorized_client, association_required: the user has no factor, unsupported_challenge_type: no factor has an accepted type",
    },
    401: { error: "invalid_client. expired_token: the user must sign in again" },
    403: { error: "invalid_grant: the mfa_token is unknown" },
    404: { error: "not_found: the user has no such authenticator" },
    429: { error: "TOO_MANY_REQUESTS, with Retry-After: too many codes were requested" },
  },
})(async ({ body, request }, context) => {
  const { tenant, client } = context;
  const mfaToken = await openMfaToken(tenant, client.record.client_id, body.mfa_token);
  const waiting = await openWaitingGrant({ ...context, mfaToken });
  const accepted = (body.challenge_type ?? "otp oob").split(" ");
  const chosen = (await challengesOf(tenant, waiting)).find(
    ({ kind, ids }) => accepted.includes(kind) && (body.authenticator_id === undefined || ids.includes(body.authenticator_id)),
  );
  if (chosen === undefined) throw await refusal(tenant, waiting, body.authenticator_id);
  const { user } = mfaToken;
  const details = { factor: toApiFactorType(chosen.type) };
  await tenant.audit({
    type: "gd_start_auth",
    description: "A second factor was requested.",
    details,
    ...auditClient(client),
    ...auditUser(user),
  });
  if (chosen.kind === "otp") return { challenge_type: "otp" };
  return { challenge_type: "oob", ...(await sendOobCode(context, waiting, chosen.target, requestedLanguages(request))) };
});

/** A challenge that the user can pass. `ids`: the authenticators that it is for. */
type Challenge =
  | { readonly kind: "otp"; readonly type: FactorType; readonly ids: readonly string[] }
  | { readonly kind: "oob"; readonly type: FactorType; readonly ids: readonly string[]; readonly target: CodeTarget };

/** Returns the challenges that the user can pass, the strongest first. */
async function challengesOf(tenant: RequestTenant, waiting: WaitingGrant): Promise<readonly Challenge[]> {
  const { factors, token } = waiting;
  const challenges = challengeTypes(waiting).map(async (type): Promise<readonly Challenge[]> => {
    if (type === "totp") return [{ kind: "otp", type, ids: factors.filter((factor) => factor.type === type).map(({ id }) => id) }];
    if (type !== "phone" && type !== "email") return [];
    const targets = await listTargets({ ...waiting, user: token.user }, type);
    return targets.flatMap((listed) => [
      { kind: "oob", type, ids: [listed.id], target: listed.target },
      ...(type === "phone" ? challengesByChannel(tenant, listed) : []),
    ]);
  });
  return (await Promise.all(challenges)).flat();
}

/** Returns a challenge for each channel of a phone, with the id that selects it. Empty if the tenant offers no calls. */
function challengesByChannel(tenant: RequestTenant, { id, target }: ListedTarget): readonly Challenge[] {
  if (!canCall(tenant)) return [];
  return phoneChannels(tenant).map((channel) => ({
    kind: "oob",
    type: "phone",
    ids: [id.replace(/^phone\|/, `${channel}|`)],
    target: { ...target, channel },
  }));
}

async function refusal(tenant: RequestTenant, waiting: WaitingGrant, authenticatorId: string | undefined): Promise<PosternError> {
  const isKnown = authenticatorId === undefined || (await challengesOf(tenant, waiting)).some(({ ids }) => ids.includes(authenticatorId));
  return isKnown
    ? new PosternError("unsupported_challenge_type", "the user has no authenticator of the requested types")
    : new PosternError("not_found", "the user has no such authenticator");
}

async function sendOobCode(
  context: ClientContext,
  waiting: WaitingGrant,
  target: CodeTarget,
  uiLocales: string | undefined,
): Promise<{ readonly oob_code: string; readonly binding_method: "prompt" }> {
  const refusal = await sendCode(mfaFactorContext(context, waiting, uiLocales), target, { purpose: "factor" });
  if (refusal !== undefined) throw refusal.error;
  const oob_code = await sealOobCode(context, waiting.token, { target: target.id, type: target.type, purpose: "factor" });
  return { oob_code, binding_method: "prompt" };
}
