import type { Row } from "../data/schema.ts";
import { findBrowserSession, isAlive, type Session } from "../domain/sessions/session.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import type { Progress } from "./login-session.ts";

/** What an authorization request asks of the person. */
export interface Demands {
  readonly prompt: readonly ("none" | "login" | "consent" | "select_account")[];
  /** Seconds since the person last proved themselves. */
  readonly max_age?: number;
  /** Who it must be, by a verified `id_token_hint`. */
  readonly hinted_user_id?: string;
  readonly login_hint?: string;
  readonly connection?: string;
  /** The organization that they must be a member of. */
  readonly organization?: { readonly id: string; readonly by_name: boolean };
  /** They came with an invitation into that organization, for this address. */
  readonly invitation?: { readonly id: string; readonly email: string };
  /** They must be a member of some organization, and say which. */
  readonly choose_organization?: boolean;
}

/** Who is signed in. */
export interface SignedIn {
  readonly user: Row<"users">;
  readonly session: Session;
  /** The session was begun or renewed by this very request, and lists its client: nothing is left to note. */
  readonly noted?: true;
}

/** Everything that decides what comes next on a visit. */
export interface Visit {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly demands: Demands;
  readonly progress: Progress;
  /** Who the browser's cookie stands for, whether that is enough here or not. */
  readonly browser: SignedIn | undefined;
}

/** Reads who a browser's session cookie stands for. A person who is blocked or gone is nobody. */
export async function readSignedIn(tenant: Tenant, sessionCookie: string | undefined): Promise<SignedIn | undefined> {
  if (sessionCookie === undefined) return undefined;
  const session = await findBrowserSession(tenant.data, sessionCookie);
  if (session === undefined || !isAlive(session, tenant.environment.clock.now())) return undefined;
  const [user] = await tenant.data.users.find({ where: { user_id: session.user_id }, limit: 1 });
  // One that was linked to another user begins no more sessions of its own.
  return user === undefined || user.blocked || user.linked_to !== "" ? undefined : { user, session };
}

/**
 * Who is signed in well enough for this request: by a connection that it takes, proved on this visit, or before and still fresh, and the one that was hinted at.
 */
export async function sufficient({ tenant, client, demands, progress, browser }: Visit): Promise<SignedIn | undefined> {
  if (browser === undefined) return undefined;
  const { session, user } = browser;
  const taken = await tenant.connectionsFor(client, demands.organization?.id ?? progress.organization_id);
  const connection = taken.find(({ id }) => id === session.connection_id);
  if (connection === undefined || (demands.connection !== undefined && connection.name !== demands.connection)) return undefined;
  // They proved themselves on this visit. Another tab may have begun the session that the browser holds by now: the person is what counts.
  if (progress.user_id !== undefined && user.user_id !== progress.user_id) return undefined;
  if (progress.user_id === undefined) {
    // Zero is as good as prompt=login, also within the millisecond.
    if (progress.chosen === "" || demands.prompt.includes("login") || demands.max_age === 0) return undefined;
    if (demands.hinted_user_id !== undefined && demands.hinted_user_id !== user.user_id) return undefined;
  }
  if (demands.max_age === undefined || demands.max_age === 0) return browser;
  // Also who proved themselves on this visit: what counts is when the answer is made, and its other pages may have stood open for long.
  const age = tenant.environment.clock.now() - session.authenticated_at;
  return age > demands.max_age * 1000 ? undefined : browser;
}
