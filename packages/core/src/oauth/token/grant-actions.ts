import type { ActionProtocol } from "../../adapters/actions.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import { actionsWith } from "../../identity/actions/call-action.ts";
import { createMfaToken, type PendingGrant, type RequestedTokens } from "../../identity/factors/mfa-token.ts";
import { firstFactorOf, passedFactorsOf } from "../../identity/sessions/methods.ts";
import type { GrantActionsResult } from "../../authorization/actions/action-result.ts";
import type { PostLogin } from "../../authorization/actions/post-login-event.ts";

import type { PassedFactor } from "../../identity/factors/factor-uses.ts";
import { PosternError } from "../../errors.ts";
import { runPostLoginWithFactors, type DemandedFactor } from "../../login/run-post-login.ts";
import { multifactorAuthenticationRequired } from "../../model/sdk-texts.ts";
import { findOne } from "../../store/find-one.ts";

/** User tokens that a client requests at the token endpoint. */
type TokenRequest = Omit<PostLogin, "user" | "session" | "request" | "sent"> & {
  readonly userId: string;
  readonly sessionId: string | undefined;
  /**
   * The tokens that the client gets with an MFA grant, if an action requires a factor. Omitted if the client cannot
   * continue that way.
   */
  readonly requested?: RequestedTokens;
};

/** The protocols of the grants that sign a user in: the grants for passwords, one-time codes and passkeys, and the MFA grants. */
const signInProtocols: readonly ActionProtocol[] = ["oauth2-password", "oauth2-webauthn"];

/**
 * Runs the host's post-login actions for tokens that a client requests at the token endpoint, without a browser. Reads
 * nothing if there are no actions.
 * @returns the decisions of the actions; undefined if there are no actions.
 * @throws {PosternError} `mfa_required` if an action requires a factor, with an `mfa_token` if the client can continue
 * with it; otherwise as `runPostLogin` (`post-login.ts`).
 */
export async function grantActions({
  userId,
  sessionId = "",
  requested,
  ...request
}: TokenRequest): Promise<GrantActionsResult | undefined> {
  const { data } = request.tenant;
  if (actionsWith(request.tenant, "onExecutePostLogin").length === 0) return undefined;
  const [user, session] = await Promise.all([
    findOne(data.users, { user_id: userId }),
    sessionId === "" ? undefined : findOne(data.sessions, { id: sessionId }),
  ]);
  if (user === undefined) throw new PosternError("access_denied", "the user was deleted by another request");
  const login: PostLogin = { ...request, user, session };
  // The factors of a session that this request started belong to this login.
  const passed = session !== undefined && signInProtocols.includes(request.protocol) ? passedFactorsOf(session) : [];
  const outcome = await runPostLoginWithFactors({ login, passedNow: passed, trustedBrowser: undefined });
  if (outcome.kind === "redirect") throw new Error("a redirect requires a browser");
  if (outcome.kind === "demanded") throw await mfaRequired(login, { ...outcome, passed }, requested);
  return outcome.actions;
}

/**
 * Returns the error for a client whose user must pass a factor. It contains no `mfa_token` if the user must sign
 * in again: the session has ended, or is too old to add a factor.
 */
async function mfaRequired(
  { tenant, client, user, session }: PostLogin,
  { decision, demanded, passed }: Pick<DemandedFactor, "decision" | "demanded"> & { readonly passed: readonly PassedFactor[] },
  requested: RequestedTokens | undefined,
): Promise<PosternError> {
  await tenant.audit({ type: "mfar", description: "An action requires a second factor.", ...auditClient(client), ...auditUser(user) });
  const without = new PosternError("mfa_required", multifactorAuthenticationRequired);
  if (session === undefined || requested === undefined || decision.kind === "sign-in-again") return without;
  const [account, connection] = await Promise.all([
    findOne(tenant.data.users, { user_id: session.account_id }),
    tenant.connections.byId(session.connection_id),
  ]);
  if (account === undefined || connection === undefined) return without;
  const pending: PendingGrant = {
    user,
    account,
    connection,
    first: firstFactorOf(session),
    decision,
    authenticatedAt: session.authenticated_at,
    passed,
    demands: demanded.demands,
  };
  const { token, requirements } = await createMfaToken(tenant, client.record.client_id, pending, requested);
  return new PosternError("mfa_required", multifactorAuthenticationRequired, {
    members: { mfa_token: token, mfa_requirements: requirements },
  });
}
