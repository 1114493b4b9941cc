import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import type { Row } from "../store/schema.ts";
import type { AuthorizationRequest } from "../authorization/authorization-request.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Interaction } from "./interaction.ts";
import { noProgress, Progress } from "./progress.ts";

/** Where an interaction is kept: addressed by `state`, and bound to one browser. */
export type LoginSession = Row<"login_sessions">;

/** Milliseconds that an interaction may take. */
const lifetime = 60 * 60_000;
const encoder = new TextEncoder();

/**
 * Keeps a request for which a person must be asked something. The first look at its page binds it to a browser, and not this:
 * tabs that are opened side by side in a new browser get a cookie each, only one of these stays, and which one is not known yet.
 * @param progress what was proved on the way here.
 * @throws {PosternError} `TOO_MANY_REQUESTS` where the login sessions that were begun at this address fill too much already.
 */
export async function startLogin(tenant: Tenant, request: AuthorizationRequest, progress: Progress = noProgress): Promise<LoginSession> {
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

/** The `state` that addresses a login session: the tenant's id stands before it, as a hint where the host names no tenant. */
export function stateOf(tenant: Tenant, { id }: LoginSession): string {
  return `${tenant.id}.${id}`;
}

/** The login session that a `state` addresses, whoever asks, also one that is over. */
export async function findLogin(tenant: Tenant, state: string): Promise<LoginSession | undefined> {
  const prefix = `${tenant.id}.`;
  return state.startsWith(prefix) ? readLogin(tenant, state.slice(prefix.length)) : undefined;
}

/** Whether it can still be gone on with. */
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

/** Binds a login session to the cookie that its browser has by now, besides the first: the pages that were shown before keep their tokens. */
export async function bindToLaterCookie({ data }: Tenant, login: LoginSession, browser: string): Promise<LoginSession> {
  const set = { later_browser_hash: await sha256(browser) };
  await data.login_sessions.update({ id: login.id }, { set });
  return { ...login, ...set };
}

/** Binds a login session to the browser that looks at it first. @returns undefined where it is another browser's. */
export async function bindLogin(tenant: Tenant, login: LoginSession, browser: string): Promise<LoginSession | undefined> {
  if (login.browser_hash !== null) return (await isBoundTo(login, browser)) ? login : undefined;
  const set = { browser_hash: await sha256(browser) };
  if ((await tenant.data.login_sessions.update({ id: login.id, browser_hash: null }, { set })) === 1) return { ...login, ...set };
  const current = await readLogin(tenant, login.id);
  return current !== undefined && (await isBoundTo(current, browser)) ? current : undefined;
}

/** Writes down how far an interaction came. @returns undefined where another action on it came first. */
export async function saveProgress({ data }: Tenant, login: LoginSession, progress: Progress): Promise<LoginSession | undefined> {
  const { id, revision } = login;
  const set = { progress, user_id: progress.proofs.at(-1)?.user_id ?? null };
  const matched = await data.login_sessions.update({ id, revision }, { set, add: { revision: 1 } });
  return matched === 1 ? { ...login, ...set, revision: revision + 1 } : undefined;
}

/** How often a change is tried against actions of the same interaction in other tabs. */
const tries = 5;

/** What became of a change of an interaction's progress. */
export interface ChangedProgress<Change> {
  readonly interaction: Interaction;
  /** As it was asked last. */
  readonly change: Change;
  /** Whether it is written down: not where others came first each time, and where there is nothing to change. */
  readonly saved: boolean;
}

/**
 * Writes down a change of how far an interaction came. Of parallel changes each is made to what the one before left.
 * @param change says what changes, and is asked anew where another one came first. Without `progress` nothing is written.
 */
export async function changeProgress<Change extends { readonly progress?: Progress }>(
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
    current = { ...current, login: newer, progress: Progress.parse(newer.progress) };
  }
}
