import { sha256 } from "../../adapters/digest.ts";
import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import { requireRequestSize } from "../../authorization/request-size.ts";
import { noClaims } from "../../authorization/requested-claims.ts";
import { isPosternError } from "../../errors.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { isPublic } from "../../model/clients/refresh-token-settings.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { Interaction } from "../interaction.ts";
import { saveProgress, startLogin, stateOf } from "../login-session.ts";
import { noProgress } from "../progress.ts";
import { progressAfter, type ActionResult } from "../step.ts";
import { backToClient } from "./back-to-client.ts";
import { refuseSession } from "./link-for-client.ts";
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
export interface ConnectingUser {
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
  if (connection === undefined) return leave(interaction, backToClient(interaction, { problem: "connection-unavailable" }));
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
