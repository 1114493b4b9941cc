import type { Row } from "../store/schema.ts";
import { isAuthTimeKnown } from "../identity/sessions/methods.ts";
import { findBrowserSession, isAlive, type Session } from "../identity/sessions/session.ts";
import type { AuthorizationRequest } from "../authorization/authorization-request.ts";
import type { ApiOfRequest } from "../authorization/resolve-api.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";
import type { Remembered } from "./cookies.ts";
import type { LoginSession } from "./login-session.ts";
import type { LoginProgress } from "./progress.ts";

/** The session of the browser and its user. */
export interface BrowserSession {
  readonly user: Row<"users">;
  readonly session: Session;
  /** This request created or renewed the session, and the session lists the client: nothing is left to store. */
  readonly noted?: true;
}

/** Everything that determines the next step between an authorization request and its response. */
export interface Interaction {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly request: AuthorizationRequest;
  readonly api: ApiOfRequest;
  /** The stored login session. Undefined at `/authorize`, which responds immediately if no input is needed. */
  readonly login: LoginSession | undefined;
  /** The progress so far. */
  readonly progress: LoginProgress;
  /** The session of the browser's session cookie, whether it is sufficient for the request or not. */
  readonly browser: BrowserSession | undefined;
  readonly remembered: Remembered;
  /** `Set-Cookie` values for the next response. */
  readonly cookies: readonly string[];
}

/** Reads the session of a browser's session cookie. Returns undefined if the user is blocked or deleted. */
export async function readBrowserSession(tenant: Tenant, sessionCookie: string | undefined): Promise<BrowserSession | undefined> {
  if (sessionCookie === undefined) return undefined;
  const session = await findBrowserSession(tenant.data, sessionCookie);
  if (session === undefined || !isAlive(session, tenant.now())) return undefined;
  const [user] = await tenant.data.users.find({ where: { user_id: session.user_id }, limit: 1 });
  // A user that was linked to another user has no sessions.
  return user === undefined || user.blocked || user.linked_to !== "" ? undefined : { user, session };
}

/** Returns the organization of an interaction: that of the request, or the one that the user chose. */
export function organizationIdOf({ request, progress }: Interaction): string | undefined {
  return request.organization?.id ?? progress.organization_id;
}

/**
 * Returns the browser's session if it is sufficient for this request: its connection is allowed, the user authenticated
 * in this interaction or recently enough before, and the user is the one that the client hinted at.
 */
export async function sufficientSession(interaction: Interaction): Promise<BrowserSession | undefined> {
  const { tenant, client, request, progress, browser } = interaction;
  if (browser === undefined) return undefined;
  const { session, user } = browser;
  const { connections } = tenant;
  if (!(await connections.offers(client, session.connection_id, organizationIdOf(interaction)))) return undefined;
  if (request.connection !== undefined && (await connections.byId(session.connection_id))?.name !== request.connection) return undefined;
  // This also checks a session that another tab created during the interaction.
  if ((request.max_age !== undefined || request.prompt.includes("login")) && !isAuthTimeKnown(session)) return undefined;
  const proof = progress.proofs.at(-1);
  // The user authenticated in this interaction. Another tab may have replaced the browser's session, so only the user
  // is compared.
  if (proof !== undefined && user.user_id !== proof.user_id) return undefined;
  if (proof === undefined) {
    // `max_age=0` means the same as `prompt=login`, even within the same millisecond.
    if (progress.chosen === "" || request.prompt.includes("login") || request.max_age === 0) return undefined;
    if (request.hinted_user_id !== undefined && request.hinted_user_id !== user.user_id) return undefined;
  }
  if (request.max_age === undefined || request.max_age === 0) return browser;
  // This also applies after authentication in this interaction: the age counts at the time of the response, and later
  // pages may have stayed open for long.
  const age = tenant.now() - session.authenticated_at;
  return age > request.max_age * 1000 ? undefined : browser;
}
