import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import { isAuthTimeKnown } from "../identity/sessions/methods.ts";
import { findBrowserSession, isAlive, type StoredSession } from "../identity/sessions/session.ts";
import type { AuthorizationRequest } from "../authorization/authorization-request.ts";
import type { ApiOfRequest } from "../authorization/resolve-api.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { Remembered } from "./cookies.ts";
import type { LoginSession } from "./login-session.ts";
import type { MissingFactor } from "./missing-factor.ts";
import type { LoginProgress } from "./progress.ts";

/** The browser's session, and the user that the session belongs to. */
export interface BrowserSession {
  readonly user: Row<"users">;
  readonly session: StoredSession;
  /**
   * This request created or renewed the session, and the session lists the client already. The response to the client
   * does not need to update the session.
   */
  readonly noted?: true;
}

/** The state between an authorization request and its response. It determines the next step. */
export interface Interaction {
  readonly tenant: RequestTenant;
  readonly client: RegisteredClient;
  readonly request: AuthorizationRequest;
  readonly api: ApiOfRequest;
  /**
   * The stored login session. Undefined at `/authorize`, which stores a login session only if the request needs user
   * input.
   */
  readonly login: LoginSession | undefined;
  /** The progress so far, such as the authentications and choices of the user. */
  readonly progress: LoginProgress;
  /** The session that the browser's session cookie refers to, even if it is not sufficient for the request. */
  readonly browser: BrowserSession | undefined;
  readonly remembered: Remembered;
  /** The second factor that the user must pass or add next. Set by the engine. */
  readonly missingFactor?: MissingFactor | undefined;
  /** Whether the user must sign in again before they add a factor, because the session is too old. Set by the engine. */
  readonly needsRecentSignIn?: true;
  /** `Set-Cookie` values for the next HTTP response. */
  readonly cookies: readonly string[];
}

/**
 * Reads the session that a browser's session cookie refers to. Returns undefined if the session has ended, or if its
 * user is blocked or deleted.
 */
export async function readBrowserSession(tenant: RequestTenant, sessionCookie: string | undefined): Promise<BrowserSession | undefined> {
  if (sessionCookie === undefined) return undefined;
  const session = await findBrowserSession(tenant.data, sessionCookie);
  if (session === undefined || !isAlive(session, tenant.now())) return undefined;
  const user = await findOne(tenant.data.users, { user_id: session.user_id });
  // A user that was linked to another user has no sessions.
  return user === undefined || user.blocked || user.linked_to !== "" ? undefined : { user, session };
}

/**
 * Returns the id of the organization that the user signs in to: the organization in the request, or the one that the
 * user chose.
 */
export function organizationIdOf({ request, progress }: Interaction): string | undefined {
  return request.organization?.id ?? progress.organization_id;
}

/**
 * Returns the browser's session if it is sufficient for this request: its connection is allowed, the user authenticated
 * in this interaction or recently enough, and the user is the one that the client's `id_token_hint` names.
 */
export async function sufficientSession(interaction: Interaction): Promise<BrowserSession | undefined> {
  const { tenant, client, request, progress, browser } = interaction;
  if (browser === undefined) return undefined;
  const { session, user } = browser;
  const { connections } = tenant;
  if (!(await connections.offers(client, session.connection_id, organizationIdOf(interaction)))) return undefined;
  if (request.connection !== undefined && (await connections.byId(session.connection_id))?.name !== request.connection) return undefined;
  // This condition also applies to a session that another tab created during the interaction.
  if ((request.max_age !== undefined || request.prompt.includes("login")) && !isAuthTimeKnown(session)) return undefined;
  const proof = progress.proofs.at(-1);
  // If the user authenticated in this interaction, only the user is compared, because another tab may have replaced the
  // browser's session.
  if (proof !== undefined && user.user_id !== proof.user_id) return undefined;
  if (proof === undefined) {
    // `max_age=0` means the same as `prompt=login`, even within the same millisecond.
    if (progress.chosen === "" || request.prompt.includes("login") || request.max_age === 0) return undefined;
    if (request.hinted_user_id !== undefined && request.hinted_user_id !== user.user_id) return undefined;
  }
  if (request.max_age === undefined || request.max_age === 0) return browser;
  // The maximum age also applies to an authentication in this interaction: it counts at the time of the response, and
  // later pages may have stayed open for a long time.
  const age = tenant.now() - session.authenticated_at;
  return age > request.max_age * 1000 ? undefined : browser;
}
