import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import type { AuthorizationRequest } from "../authorization/authorization-request.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { Interaction } from "./interaction.ts";
import { noProgress, loginProgressSchema, type LoginProgress } from "./progress.ts";

/** A stored interaction. The `state` parameter identifies it, and it is bound to one browser. */
export type LoginSession = Row<"login_sessions">;

/** The default lifetime of a login session in milliseconds. */
const defaultLifetime = 60 * 60_000;
const encoder = new TextEncoder();

/**
 * Stores an authorization request that needs user input as a login session. Does not bind the login session to a
 * browser; the first view of its page does. The reason: if several tabs are opened at the same time in a new browser,
 * each response sets a cookie, and only one of these cookies remains in the browser.
 * @param progress the progress so far, with the authentications from before the login session was stored.
 * @param options `lifetime`: in milliseconds. Default: one hour. `isLimited`: `false` if the request came from a server that
 * authenticated, whose IP address is that of all its users. Default: `true`.
 * @throws {PosternError} `TOO_MANY_REQUESTS` if the login sessions that were started from this IP address already use
 * too much storage.
 */
export async function startLogin(
  tenant: RequestTenant,
  request: AuthorizationRequest,
  progress: LoginProgress = noProgress,
  { lifetime = defaultLifetime, isLimited = true }: { readonly lifetime?: number; readonly isLimited?: boolean } = {},
): Promise<LoginSession> {
  const now = tenant.now();
  const bytes = encoder.encode(JSON.stringify(request)).length;
  const login: LoginSession = {
    id: isLimited ? await tenant.admitLoginSession(bytes) : tenant.random.token(24),
    browser_hash: null,
    later_browser_hash: null,
    client_id: request.client_id,
    request,
    progress,
    user_id: userIn(progress),
    revision: 0,
    created_at: now,
    expires_at: now + lifetime,
  };
  await tenant.data.login_sessions.insert([login]);
  return login;
}

/**
 * Returns the id of the user who authenticated last, or who connects an account. The login session is deleted with this user.
 */
function userIn({ pending, proofs, connect }: LoginProgress): string | null {
  return pending?.proof.user_id ?? proofs.at(-1)?.user_id ?? connect?.user_id ?? null;
}

/**
 * Returns the `state` parameter that identifies a login session. It starts with the tenant's id, because the request's
 * host may not identify the tenant.
 */
export function stateOf(tenant: RequestTenant, { id }: LoginSession): string {
  return `${tenant.id}.${id}`;
}

/**
 * Returns the login session that a `state` parameter identifies, even if it is bound to another browser or has expired.
 */
export async function findLogin(tenant: RequestTenant, state: string): Promise<LoginSession | undefined> {
  const prefix = `${tenant.id}.`;
  return state.startsWith(prefix) ? readLogin(tenant, state.slice(prefix.length)) : undefined;
}

/** Whether a login session has not expired yet. */
export function isOpen(tenant: RequestTenant, login: LoginSession): boolean {
  return login.expires_at > tenant.now();
}

async function readLogin({ data }: RequestTenant, id: string): Promise<LoginSession | undefined> {
  const login = await findOne(data.login_sessions, { id });
  return login;
}

/** Whether a login session is bound to the browser with this cookie. */
export async function isBoundTo({ browser_hash: first, later_browser_hash: later }: LoginSession, browser: string): Promise<boolean> {
  const hash = await sha256(browser);
  return [first, later].some((bound) => bound !== null && equalInConstantTime(bound, hash));
}

/**
 * Binds a login session to the browser's current cookie in addition to the first one. The form tokens in earlier pages
 * stay valid.
 */
export async function bindToLaterCookie({ data }: RequestTenant, login: LoginSession, browser: string): Promise<LoginSession> {
  const set = { later_browser_hash: await sha256(browser) };
  await data.login_sessions.update({ id: login.id }, { set });
  return { ...login, ...set };
}

/**
 * Binds a login session to the first browser that views it.
 * @returns undefined if the login session is already bound to another browser.
 */
export async function bindLogin(tenant: RequestTenant, login: LoginSession, browser: string): Promise<LoginSession | undefined> {
  if (login.browser_hash !== null) return (await isBoundTo(login, browser)) ? login : undefined;
  const bound = await bindFirst(tenant, login, browser);
  if (bound !== undefined) return bound;
  const current = await readLogin(tenant, login.id);
  return current !== undefined && (await isBoundTo(current, browser)) ? current : undefined;
}

/**
 * Binds a login session to a browser.
 * @returns undefined if the login session is already bound, even to the same browser.
 */
export async function bindFirst({ data }: RequestTenant, login: LoginSession, browser: string): Promise<LoginSession | undefined> {
  const set = { browser_hash: await sha256(browser) };
  return (await data.login_sessions.update({ id: login.id, browser_hash: null }, { set })) === 1 ? { ...login, ...set } : undefined;
}

/**
 * Stores the progress of an interaction.
 * @returns undefined if another action changed the login session first.
 */
export async function saveProgress(
  { data }: RequestTenant,
  login: LoginSession,
  progress: LoginProgress,
): Promise<LoginSession | undefined> {
  const { id, revision } = login;
  const set = { progress, user_id: userIn(progress) };
  const matched = await data.login_sessions.update({ id, revision }, { set, add: { revision: 1 } });
  return matched === 1 ? { ...login, ...set, revision: revision + 1 } : undefined;
}

/** Deletes a login session. Of parallel calls, only one returns `true`. */
export async function takeLogin({ data }: RequestTenant, { id }: LoginSession): Promise<boolean> {
  return (await data.login_sessions.delete({ id })) === 1;
}

/** Returns the interaction with the progress that is stored now. */
export async function withNewestProgress(interaction: Interaction): Promise<Interaction> {
  const login = interaction.login && (await readLogin(interaction.tenant, interaction.login.id));
  return login === undefined ? interaction : { ...interaction, login, progress: loginProgressSchema.parse(login.progress) };
}

/** The maximum number of attempts to save a change while actions in other tabs change the same login session. */
const tries = 5;

/** An interaction, or the part of it that is known without the browser. */
type ProgressOwner = Pick<Interaction, "tenant" | "login" | "progress">;

/** The result of an update of the stored progress of a login: what its user has completed so far. */
interface ChangedProgress<Change, Changed extends ProgressOwner> {
  readonly interaction: Changed;
  /** The result of the last call to `change`. */
  readonly change: Change;
  /** Whether the change was stored. False if all attempts lost the race, or if there was nothing to store. */
  readonly saved: boolean;
}

/**
 * Changes the stored progress of an interaction. If another request changed it first, the change is computed again from
 * the newer progress.
 * @param change returns the new progress. Called again after a lost race. If the result has no `progress`, nothing is
 * stored.
 */
export async function changeProgress<Change extends { readonly progress?: LoginProgress }, Changed extends ProgressOwner = Interaction>(
  interaction: Changed,
  change: (interaction: Changed) => Change | Promise<Change>,
): Promise<ChangedProgress<Change, Changed>> {
  let current = interaction;
  for (let attempt = 1; ; attempt++) {
    const made = await change(current);
    const { progress } = made;
    const { login } = current;
    if (progress === undefined || login === undefined)
      return { interaction: { ...current, progress: progress ?? current.progress }, change: made, saved: false };
    const saved = await saveProgress(current.tenant, login, progress);
    if (saved !== undefined) return { interaction: { ...current, login: saved, progress }, change: made, saved: true };
    const newer = (await readLogin(current.tenant, login.id)) ?? login;
    if (attempt === tries) return { interaction: { ...current, login: newer, progress }, change: made, saved: false };
    current = { ...current, login: newer, progress: loginProgressSchema.parse(newer.progress) };
  }
}
