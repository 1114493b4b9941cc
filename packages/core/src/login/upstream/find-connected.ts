import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import { authorizationRequestSchema } from "../../authorization/authorization-request.ts";
import { isCallback } from "../../authorization/callbacks.ts";
import type { StoredIdentity } from "../../identity/providers/provider-requests.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { findLogin, isOpen, takeLogin } from "../login-session.ts";
import { loginProgressSchema } from "../progress.ts";
import type { ConnectingUser } from "./connect-account.ts";
import { tokensOfPending } from "./pending-link.ts";

/** The parameters with which a client completes a link. */
interface Completion {
  readonly auth_session: string;
  readonly connect_code: string;
  readonly redirect_uri: string;
  readonly code_verifier: string;
}

/** An identity at a provider, which its user may link now. Await `take` before the link: it returns `true` once. */
interface ConnectedIdentity {
  readonly connectionId: string;
  readonly identity: StoredIdentity;
  take(): Promise<boolean>;
}

/**
 * Returns the identity at the provider for a code.
 * @returns undefined if the code is malformed, unknown, used or expired, or belongs to another user, client, redirect URI,
 * secret or verifier. The log reports a mismatch, which can mean that the code was stolen.
 */
export async function findConnected(
  tenant: RequestTenant,
  { user, client }: ConnectingUser,
  sent: Completion,
): Promise<ConnectedIdentity | undefined> {
  const [id = "", secret = "", ...rest] = sent.connect_code.split(".");
  const login = rest.length > 0 ? undefined : await findLogin(tenant, `${tenant.id}.${id}`);
  if (login === undefined || !isOpen(tenant, login)) return undefined;
  const request = authorizationRequestSchema.parse(login.request);
  const { connect } = loginProgressSchema.parse(login.progress);
  if (request.ending !== "connected-account" || connect?.result === undefined) return undefined;
  const { code_hash: codeHash, identity } = connect.result;
  const isSame = async (text: string, hash: string | undefined): Promise<boolean> =>
    hash !== undefined && equalInConstantTime(await sha256(text), hash);
  const isOwn =
    connect.user_id === user.user_id &&
    request.client_id === client.record.client_id &&
    request.redirect_uri === sent.redirect_uri &&
    isCallback(client, sent.redirect_uri);
  const proofs = await Promise.all([
    isSame(secret, codeHash),
    isSame(sent.auth_session, connect.auth_session_hash),
    isSame(sent.code_verifier, request.code_challenge),
  ]);
  if (!isOwn || !proofs.every(Boolean)) {
    await tenant.audit({
      type: "f",
      description: "Not connected: the user, client, redirect URI, secret or verifier does not match the code.",
      ...auditClient(client),
      ...auditUser(user),
    });
    return undefined;
  }
  return {
    connectionId: identity.connection_id,
    identity: { profile: identity.profile, tokens: await tokensOfPending({ tenant, login }, identity) },
    take: () => takeLogin(tenant, login),
  };
}
