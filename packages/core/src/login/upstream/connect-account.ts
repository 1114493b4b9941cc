import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import { authorizationRequestSchema, type AuthorizationRequest } from "../../authorization/authorization-request.ts";
import { requireRequestSize } from "../../authorization/request-size.ts";
import { noClaims } from "../../authorization/requested-claims.ts";
import { isPosternError } from "../../errors.ts";
import type { StoredIdentity } from "../../identity/providers/provider-requests.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { isPublic } from "../../model/clients/refresh-token-settings.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { Interaction } from "../interaction.ts";
import { findLogin, isOpen, saveProgress, startLogin, stateOf, takeLogin } from "../login-session.ts";
import { loginProgressSchema, noProgress } from "../progress.ts";
import { progressAfter, type ActionResult } from "../step.ts";
import { backToClient, otherSession } from "./back-to-client.ts";
import { tokensOfPending } from "./pending-link.ts";
import { acceptedProvider } from "./providers.ts";
import { redirectToProvider } from "./redirect-to-provider.ts";

/** The path of the page that sends the browser to the identity provider. */
export const connectPath = "/u/connect-account";

/** The time in which a client connects an account, from its first request to the last one, in milliseconds. */
export const connectLifetime = 10 * 60_000;

/** The parameters of a link that the client chooses. */
type ConnectParameters = Pick<
  AuthorizationRequest,
  "redirect_uri" | "state" | "acr_values" | "display" | "login_hint" | "max_age" | "prompt" | "ui_locales" | "connection_scope"
> & { readonly code_challenge: string };

/** The user and the client of an access token. */
interface ConnectingUser {
  readonly user: Row<"users">;
  readonly client: RegisteredClient;
}

/**
 * Begins a link.
 * @returns the ticket for the browser, and the secret for the client.
 * @throws {PosternError} `invalid_request` if the parameters are too long. `TOO_MANY_REQUESTS` if a public client started too
 * many logins from this IP address. A confidential client is a server with one address, which one user must not lock out.
 */
export async function startConnect(
  tenant: RequestTenant,
  { user, client }: ConnectingUser,
  { name: connection }: Row<"connections">,
  parameters: ConnectParameters,
): Promise<{ readonly ticket: string; readonly authSession: string }> {
  const authSession = tenant.random.token(24);
  const request: AuthorizationRequest = {
    ...parameters,
    ending: "connected-account",
    client_id: client.record.client_id,
    redirect_uri_given: true,
    response_type: [],
    response_mode: "query",
    scope: ["openid"],
    connection,
    claims: noClaims,
  };
  const connect = { user_id: user.user_id, auth_session_hash: await sha256(authSession) };
  requireRequestSize(request);
  const isLimited = isPublic(client.record.token_endpoint_auth_method);
  const login = await startLogin(tenant, request, { ...noProgress, connect }, { lifetime: connectLifetime, isLimited });
  return { ticket: stateOf(tenant, login), authSession };
}

/**
 * Returns the URL for the browser that opened a ticket: at the identity provider if the browser has a session of the user
 * who connects the account, otherwise at the client with an error.
 * @returns undefined if a parallel request opened the ticket.
 */
export async function leaveWithTicket(interaction: Interaction): Promise<string | undefined> {
  const { tenant, login, browser, progress } = interaction;
  if (login === undefined || browser === undefined || browser.user.user_id !== progress.connect?.user_id)
    return leave(interaction, await refuseSession(interaction));
  const connection = await acceptedProvider(interaction, { name: interaction.request.connection ?? "" });
  if (connection === undefined) return leave(interaction, backToClient(interaction, { problem: "provider-failed" }));
  const linkTo = { user_id: browser.user.user_id, session_id: browser.session.id };
  const linking = { ...interaction, progress: { ...progress, link_to: linkTo } };
  const { problem, recorded, ...result } = await redirectToProvider(linking, connection).catch(unmetRequirements);
  await recorded;
  if (problem === undefined) return leave(linking, result);
  return leave(interaction, backToClient(interaction, { problem: problem === "unmet-requirements" ? problem : "provider-failed" }));

  async function leave(from: Interaction, { redirectTo, ...next }: ActionResult): Promise<string | undefined> {
    const saved = login && (await saveProgress(tenant, login, progressAfter(from.progress, next)));
    return saved && redirectTo;
  }
}

/** Returns the problem for the client if the provider cannot meet the requirements of the request. */
function unmetRequirements(error: unknown): ActionResult {
  if (!isPosternError(error) || error.code !== "unmet_authentication_requirements") throw error;
  return { problem: "unmet-requirements" };
}

async function refuseSession(interaction: Interaction): Promise<ActionResult> {
  const { tenant, client, browser } = interaction;
  await tenant.audit({
    type: "f",
    description: `Not connected: ${otherSession}.`,
    ...auditClient(client),
    ...(browser && auditUser(browser.user)),
  });
  return backToClient(interaction, { problem: "other-session" });
}

/** What a client sends to complete a link. */
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
 * @returns undefined if the code is unknown, used or expired, or belongs to another user, client, redirect URI, secret or
 * verifier.
 */
export async function findConnected(
  tenant: RequestTenant,
  { user, client }: ConnectingUser,
  sent: Completion,
): Promise<ConnectedIdentity | undefined> {
  const [id = "", secret = ""] = sent.connect_code.split(".");
  const login = await findLogin(tenant, `${tenant.id}.${id}`);
  if (login === undefined || !isOpen(tenant, login)) return undefined;
  const {
    ending,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
  } = authorizationRequestSchema.parse(login.request);
  const { connect } = loginProgressSchema.parse(login.progress);
  if (ending !== "connected-account" || connect?.result === undefined) return undefined;
  if (connect.user_id !== user.user_id || clientId !== client.record.client_id || redirectUri !== sent.redirect_uri) return undefined;
  const isSame = async (text: string, hash: string | undefined): Promise<boolean> =>
    hash !== undefined && equalInConstantTime(await sha256(text), hash);
  const { code_hash: codeHash, identity } = connect.result;
  const proofs = [isSame(secret, codeHash), isSame(sent.auth_session, connect.auth_session_hash), isSame(sent.code_verifier, challenge)];
  if (!(await Promise.all(proofs)).every(Boolean)) return undefined;
  return {
    connectionId: identity.connection_id,
    identity: { profile: identity.profile, tokens: await tokensOfPending({ tenant, login }, identity) },
    take: () => takeLogin(tenant, login),
  };
}
