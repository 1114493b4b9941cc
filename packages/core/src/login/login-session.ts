import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import type { Row } from "../store/schema.ts";
import type { AuthorizationRequest } from "../authorization/authorization-request.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Interaction } from "./interaction.ts";
import { noProgress, LoginProgress } from "./progress.ts";

/** A stored interaction: addressed by `state`, and bound to one browser. */
export type LoginSession = Row<"login_sessions">;

/** Milliseconds after which a login session expires. */
const lifetime = 60 * 60_000;
const encoder = new TextEncoder();

/**
 * Stores a request that needs user input. The first view of its page binds it to a browser, not this function: tabs
 * that are opened side by side in a new browser each get a cookie, only one of these cookies remains, and it is not
 * known yet which one.
 * @param progress authentications from before the login session was stored.
 * @throws {PosternError} `TOO_MANY_REQUESTS` if the login sessions that were started from this client address already
 * use too much storage.
 */
export async function startLogin(
  tenant: Tenant,
  request: AuthorizationRequest,
  progress: LoginProgress = noProgress,
): Promise<LoginSession> {
  const now = tenant.now();
  const login: LoginSession = {
    id: await tenant.admitLoginSession(encoder.encode(JSON.stringify(request)).length),
    browser_hash: null,
    later_browser_hash: null,
    client_id: request.client_id,
    request,
    progress,
    user_id: progress.proofs.at(-1)?.user_id ?? null,
    revision: 0,
    created_at: now,
    expires_at: now + lifetime,
  };
  await tenant.data.login_sessions.insert([login]);
  return login;
}

/**
 * Returns the `state` of a login session. The tenant's id is its prefix: a hint for hosts that do not identify a
 * tenant.
 */
export function stateOf(tenant: Tenant, { id }: LoginSession): string {
  return `${tenant.id}.${id}`;
}

/** Returns the login session of a `state`, for any browser and even if it has expired. */
export async function findLogin(tenant: Tenant, state: string): Promise<LoginSession | undefined> {
  const prefix = `${tenant.id}.`;
  return state.startsWith(prefix) ? readLogin(tenant, state.slice(prefix.length)) : undefined;
}

/** Whether the login session has not expired. */
export function isOpen(tenant: Tenant, login: LoginSession): boolean {
  return login.expires_at > tenant.now();
}

async function readLogin({ data }: Tenant, id: string): Promise<LoginSession | undefined> {
  const [login] = await data.login_sessions.find({ where: { id }, limit: 1 });
  return login;
}

/** Whether a login session is bound to the browser with this cookie. */
export async function isBoundTo({ browser_hash: first, later_browser_hash: later }: LoginSession, browser: string): Promise<boolean> {
  const hash = await sha256(browser);
  return [first, later].some((bound) => bound !== null && equalInConstantTime(bound, hash));
}

/**
 * Binds a login session to the browser's current cookie in addition to the first, so that the tokens of earlier pages
 * stay valid.
 */
export async function bindToLaterCookie({ data }: Tenant, login: LoginSession, browser: string): Promise<LoginSession> {
  const set = { later_browser_hash: await sha256(browser) };
  await data.login_sessions.update({ id: login.id }, { set });
  return { ...login, ...set };
}

/**
 * Binds a login session to the first browser that views it.
 * @returns undefined if it is bound to another browser.
 */
export async function bindLogin(tenant: Tenant, login: LoginSession, browser: string): Promise<LoginSession | undefined> {
  if (login.browser_hash !== null) return (await isBoundTo(login, browser)) ? login : undefined;
  const set = { browser_hash: await sha256(browser) };
  if ((await tenant.data.login_sessions.update({ id: login.id, browser_hash: null }, { set })) === 1) return { ...login, ...set };
  const current = await readLogin(tenant, login.id);
  return current !== undefined && (await isBoundTo(current, browser)) ? current : undefined;
}

/**
 * Stores the progress of an interaction.
 * @returns undefined if another action changed the login session first.
 */
export async function saveProgress({ data }: Tenant, login: LoginSession, progress: LoginProgress): Promise<LoginSession | undefined> {
  const { id, revision } = login;
  const set = { progress, user_id: progress.proofs.at(-1)?.user_id ?? null };
  const matched = await data.login_sessions.update({ id, revision }, { set, add: { revision: 1 } });
  return matched === 1 ? { ...login, ...set, revision: revision + 1 } : undefined;
}

/** Maximum number of attempts to save a change against parallel actions in other tabs. */
const tries = 5;

/** The result of a change of an interaction's progress. */
export interface ChangedProgress<Change> {
  readonly interaction: Interaction;
  /** The result of the last call of `change`. */
  readonly change: Change;
  /** Whether the change was stored. False if all attempts lost the race, or if there was nothing to store. */
  readonly saved: boolean;
}

/**
 * Changes the stored progress of an interaction. Parallel changes are applied one after another.
 * @param change returns the new progress, and is called again after a lost race. Without `progress`, nothing is
 * written.
 */
export async function changeProgress<Change extends { readonly progress?: LoginProgress }>(
  interaction: Interaction,
  change: (interaction: Interaction) => Change | Promise<Change>,
): Promise<ChangedProgress<Change>> {
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
    current = { ...current, login: newer, progress: LoginProgress.parse(newer.progress) };
  }
}
