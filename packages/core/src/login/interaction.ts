import type { Row } from "../store/schema.ts";
import { isAuthTimeKnown } from "../identity/sessions/methods.ts";
import { findBrowserSession, isAlive, type Session } from "../identity/sessions/session.ts";
import type { AuthorizationRequest } from "../authorization/authorization-request.ts";
import type { ApiOfRequest } from "../authorization/resolve-api.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";
import type { Remembered } from "./cookies.ts";
import type { LoginSession } from "./login-session.ts";
import type { Progress } from "./progress.ts";

/** Who is signed in. */
export interface BrowserSession {
  readonly user: Row<"users">;
  readonly session: Session;
  /** The session was begun or renewed by this very request, and lists its client: nothing is left to note. */
  readonly noted?: true;
}

/** All that decides what a person is asked next, between an authorization request and its answer. */
export interface Interaction {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly request: AuthorizationRequest;
  readonly api: ApiOfRequest;
  /** Where it is kept. Undefined at `/authorize`, which answers at once where it can. */
  readonly login: LoginSession | undefined;
  /** How far it came. */
  readonly progress: Progress;
  /** Who the browser's session cookie stands for, whether that is enough here or not. */
  readonly browser: BrowserSession | undefined;
  readonly remembered: Remembered;
  /** `Set-Cookie` values for the next answer. */
  readonly cookies: readonly string[];
}

/** Reads who a browser's session cookie stands for. A person who is blocked or gone is nobody. */
export async function readBrowserSession(tenant: Tenant, sessionCookie: string | undefined): Promise<BrowserSession | undefined> {
  if (sessionCookie === undefined) return undefined;
  const session = await findBrowserSession(tenant.data, sessionCookie);
  if (session === undefined || !isAlive(session, tenant.now())) return undefined;
  const [user] = await tenant.data.users.find({ where: { user_id: session.user_id }, limit: 1 });
  // One that was linked to another user begins no more sessions of its own.
  return user === undefined || user.blocked || user.linked_to !== "" ? undefined : { user, session };
}

/** The organization that an interaction is for, as far as is known: the request's, or the one that the person chose. */
export function organizationIdOf({ request, progress }: Interaction): string | undefined {
  return request.organization?.id ?? progress.organization_id;
}

/**
 * Who is signed in well enough for this request: by a connection that it takes, proved in this interaction, or before and still fresh, and the one that was
 * hinted at.
 */
export async function sufficientSession(interaction: Interaction): Promise<BrowserSession | undefined> {
  const { tenant, client, request, progress, browser } = interaction;
  if (browser === undefined) return undefined;
  const { session, user } = browser;
  const { connections } = tenant;
  if (!(await connections.offers(client, session.connection_id, organizationIdOf(interaction)))) return undefined;
  if (request.connection !== undefined && (await connections.byId(session.connection_id))?.name !== request.connection) return undefined;
  // Also a session that another tab began meanwhile.
  if ((request.max_age !== undefined || request.prompt.includes("login")) && !isAuthTimeKnown(session)) return undefined;
  const proof = progress.proofs.at(-1);
  // They proved themselves here. Another tab may have begun the session that the browser holds by now: the person is what counts.
  if (proof !== undefined && user.user_id !== proof.user_id) return undefined;
  if (proof === undefined) {
    // Zero is as good as prompt=login, also within the millisecond.
    if (progress.chosen === "" || request.prompt.includes("login") || request.max_age === 0) return undefined;
    if (request.hinted_user_id !== undefined && request.hinted_user_id !== user.user_id) return undefined;
  }
  if (request.max_age === undefined || request.max_age === 0) return browser;
  // Also who proved themselves here: what counts is when the answer is made, and the other pages may have stood open for long.
  const age = tenant.now() - session.authenticated_at;
  return age > request.max_age * 1000 ? undefined : browser;
}
