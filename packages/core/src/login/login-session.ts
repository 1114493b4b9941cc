import { equalInConstantTime, sha256 } from "../adapters/digest.ts";
import type { Row } from "../data/schema.ts";
import type { JsonObject } from "../data/value.ts";
import * as z from "zod";
import type { Tenant } from "../tenancy/tenant.ts";

/** How far a visit to the login pages came. Kept as JSON in the login session. */
export const Progress = z.object({
  /** What the person typed to say who they are. */
  identifier: z.string().exactOptional(),
  /** The account that proved itself, or was chosen, here. */
  user_id: z.string().exactOptional(),
  /** Milliseconds since 1970: when they proved themselves on this visit. */
  authenticated_at: z.number().exactOptional(),
  /** At the account chooser: the account to go on with; '' for another one. */
  chosen: z.string().exactOptional(),
  /** Where an account could be made: they have one. */
  has_account: z.boolean().exactOptional(),
  /** The organization that they chose. */
  organization_id: z.string().exactOptional(),
  /** The account that accepts the invitation of this visit. */
  joined_by: z.string().exactOptional(),
  /** The account that agreed to what the client asks for. */
  consented_by: z.string().exactOptional(),
});

export type Progress = z.infer<typeof Progress>;

/** A visit to the login pages, addressed by `state` and bound to one browser. */
export interface LoginSession {
  readonly record: Row<"login_sessions">;
  readonly progress: Progress;
}

/** Milliseconds that a visit may take. */
const lifetime = 60 * 60_000;
const encoder = new TextEncoder();

/**
 * Starts a visit. `request` is what the flow goes back to when it is done. The first look at its page binds it to a browser, and not this:
 * tabs that are opened side by side in a new browser get a cookie each, only one of these stays, and which one is not known yet.
 * @throws {PosternError} `TOO_MANY_REQUESTS` where the visits that were begun at this address fill too much already.
 */
export async function startLogin(tenant: Tenant, clientId: string, request: JsonObject): Promise<LoginSession> {
  const now = tenant.environment.clock.now();
  const record: Row<"login_sessions"> = {
    id: await tenant.admitLoginSession(encoder.encode(JSON.stringify(request)).length),
    browser_hash: null,
    client_id: clientId,
    request,
    progress: {},
    user_id: null,
    revision: 0,
    created_at: now,
    expires_at: now + lifetime,
  };
  await tenant.data.login_sessions.insert([record]);
  return { record, progress: {} };
}

/** The `state` that addresses a visit: the tenant's id stands before it, as a hint where the host names no tenant. */
export function stateOf(tenant: Tenant, { record }: LoginSession): string {
  return `${tenant.id}.${record.id}`;
}

/** The visit that a `state` addresses, whoever asks; undefined for one that is over or unknown. */
export async function findLogin(tenant: Tenant, state: string): Promise<LoginSession | undefined> {
  const prefix = `${tenant.id}.`;
  if (!state.startsWith(prefix)) return undefined;
  return readLogin(tenant, state.slice(prefix.length));
}

async function readLogin(tenant: Tenant, id: string): Promise<LoginSession | undefined> {
  const [record] = await tenant.data.login_sessions.find({ where: { id }, limit: 1 });
  if (record === undefined || record.expires_at <= tenant.environment.clock.now()) return undefined;
  return { record, progress: Progress.parse(record.progress) };
}

/** Whether a visit is bound to the browser with this cookie. */
export async function isBoundTo({ record }: LoginSession, browser: string): Promise<boolean> {
  return record.browser_hash !== null && equalInConstantTime(record.browser_hash, await sha256(browser));
}

/** Binds a visit to the browser that looks at it first. @returns undefined where it is another browser's. */
export async function bindLogin(tenant: Tenant, login: LoginSession, browser: string): Promise<LoginSession | undefined> {
  if (login.record.browser_hash === null) {
    const set = { browser_hash: await sha256(browser) };
    const matched = await tenant.data.login_sessions.update({ id: login.record.id, browser_hash: null }, { set });
    if (matched === 1) return { ...login, record: { ...login.record, ...set } };
    const current = await readLogin(tenant, login.record.id);
    return current !== undefined && (await isBoundTo(current, browser)) ? current : undefined;
  }
  return (await isBoundTo(login, browser)) ? login : undefined;
}

/** How often a step is tried against steps of the same visit in other tabs. */
const tries = 5;

/** Notes how far a visit came. `change` is asked again where a parallel step of the same visit came first. */
export async function saveProgress(tenant: Tenant, login: LoginSession, change: (progress: Progress) => Progress): Promise<LoginSession> {
  let current = login;
  for (let attempt = 0; attempt < tries; attempt++) {
    const { id, revision } = current.record;
    const progress = change(current.progress);
    const set = { progress, user_id: progress.user_id ?? null };
    if ((await tenant.data.login_sessions.update({ id, revision }, { set, add: { revision: 1 } })) === 1) {
      return { record: { ...current.record, ...set, revision: revision + 1 }, progress };
    }
    current = (await readLogin(tenant, id)) ?? current;
  }
  // Others keep coming first: this step counts for its own answer.
  return { ...current, progress: change(current.progress) };
}

/**
 * The token of a page's forms. Its first half stands against forged posts (CSRF): only pages that this visit showed in its own browser know it.
 * Its second half says whom the page was shown to: the id of a user, undefined for nobody who is signed in.
 */
export async function csrfToken(login: LoginSession, shownTo: string | undefined): Promise<string> {
  return `${await visitToken(login)}.${await personToken(login, shownTo)}`;
}

/** Whether a form's token is of a page of this visit. */
export async function isOwnToken(login: LoginSession, token: string): Promise<boolean> {
  return equalInConstantTime(token.split(".", 1)[0] ?? "", await visitToken(login));
}

/** Whether a form's token is of a page that was shown to this person. */
export async function wasShownTo(login: LoginSession, token: string, userId: string | undefined): Promise<boolean> {
  return equalInConstantTime(token.split(".")[1] ?? "", await personToken(login, userId));
}

async function visitToken({ record }: LoginSession): Promise<string> {
  return sha256(JSON.stringify(["csrf", record.id, record.browser_hash]));
}

async function personToken({ record }: LoginSession, userId: string | undefined): Promise<string> {
  return sha256(JSON.stringify(["shown to", record.id, record.browser_hash, userId ?? null]));
}
