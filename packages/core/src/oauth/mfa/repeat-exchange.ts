import { PosternError } from "../../errors.ts";
import { findUsedMfaToken } from "../../identity/factors/mfa-token.ts";
import { findNextRecoveryCode } from "../../identity/factors/recovery-code.ts";
import type { PassedFactor } from "../../identity/factors/factor-uses.ts";
import { isAlive } from "../../identity/sessions/session.ts";
import { checkFactors } from "../../authorization/step-up/check-factors.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import type { TokenResponse } from "../token/token-response.ts";
import { userTokenResponse } from "../token/user-token-response.ts";
import {
  furtherFactorRequired,
  narrowScope,
  requestedTokens,
  requireSameApi,
  toRepeatable,
  withRecoveryCode,
  type MfaParameters,
} from "./exchange-factor.ts";
import { actionDemandsOf, firstFactorIn, requireConnection } from "./waiting-grant.ts";
import { findOne } from "../../store/find-one.ts";

/**
 * Repeats the response to a request that used a recovery code, because the client may not have received the next one. For
 * ten minutes, the same client gets the same recovery code, and tokens of the same session and grant, with the same
 * refresh token, or the same refusal. No other session starts.
 * @returns undefined if the `mfa_token` was not used with this recovery code, if the next recovery code was used or
 * replaced, or if the session has ended.
 * @throws {PosternError} as `exchangeFactor`.
 */
export async function repeatExchange(
  context: ClientContext,
  sent: MfaParameters & { readonly recovery_code: string },
): Promise<TokenResponse | undefined> {
  const { tenant, client } = context;
  const token = await findUsedMfaToken(tenant, client.record.client_id, sent.mfa_token);
  const code = token && (await findNextRecoveryCode(tenant, token.user, sent.recovery_code, token.hash));
  if (token === undefined || code === undefined) return undefined;
  const { user, request, usedAt, usedByRecovery } = token;
  const connection = await requireConnection(context, request);
  await requireSameApi(context, token, sent);
  const { issued, refused } = usedByRecovery;
  if (refused !== undefined) throw new PosternError(refused.error, refused.error_description, { members: { recovery_code: code } });
  if (issued === undefined) {
    const first = firstFactorIn(request);
    const passed: readonly PassedFactor[] = [...request.passed, { type: "recovery-code", at: usedAt }];
    const { decision } = await checkFactors({ tenant, user, first, passed, trustedBrowser: undefined, ...actionDemandsOf(request) });
    if (decision.kind === "sufficient" || decision.kind === "sign-in-again") return undefined;
    throw await furtherFactorRequired(context, token, { user, connection, first, decision, passed }, { recovery_code: code });
  }
  const session = await findOne(tenant.data.sessions, { id: issued.session_id });
  if (session === undefined || !isAlive(session, tenant.now())) return undefined;
  const response = userTokenResponse(context, {
    user,
    session,
    recorded: Promise.resolve(),
    ...requestedTokens(request),
    scope: narrowScope(request.scope, sent.scope),
    event: request.method === "passkey" ? "sepkrcft" : "sercft",
    repeatable: toRepeatable(tenant, { token, issued, sent, code }),
  });
  return withRecoveryCode(response, code);
}
