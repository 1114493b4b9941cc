import { sha256 } from "../../adapters/digest.ts";
import type { RandomValues } from "../../adapters/random.ts";
import type { DataContext } from "../../context.ts";
import type { TenantData } from "../../store/tenant-data.ts";

const day = 24 * 60 * 60_000;

/** Milliseconds after which the trust in a browser ends, as in Auth0. */
export const trustLifetime = 30 * day;

/** Milliseconds after which the trust in a browser ends if the user does not sign in with it, as in Auth0. */
export const trustIdleLifetime = 7 * day;

/** How long a browser is trusted, in milliseconds. The tenant can set it (`/guardian/settings`). */
export interface TrustLifetimes {
  readonly overall: number;
  /** The maximum time between two sign-ins. */
  readonly idle: number;
}

const defaultLifetimes: TrustLifetimes = { overall: trustLifetime, idle: trustIdleLifetime };

/**
 * Returns a new token for the cookie of a browser: 43 random characters. One token serves all users who sign in with the
 * browser, because the stored hash includes the user id.
 */
export function newBrowserToken(random: Pick<RandomValues, "token">): string {
  return random.token();
}

/**
 * Trusts a browser, because the user passed a factor in it and chose not to be asked again. Do not call this function
 * after a recovery code, or after a code that was sent by email. If the browser is trusted already, the period begins
 * again.
 * @param userId the id of the primary account.
 * @param token the token from the browser's cookie. See {@link newBrowserToken}.
 */
export async function trustBrowser(
  context: DataContext,
  userId: string,
  token: string,
  { overall, idle }: TrustLifetimes = defaultLifetimes,
): Promise<void> {
  const { trusted_browsers: browsers } = context.data;
  const browser_hash = await hashOf(userId, token);
  const now = context.now();
  const set = { created_at: now, last_used_at: now, expires_at: now + Math.min(idle, overall) };
  const inserted = await browsers.insert([{ browser_hash, user_id: userId, ...set }]);
  if (!inserted) await browsers.update({ browser_hash, user_id: userId }, { set });
}

/**
 * Returns whether a browser is trusted for a user, and records its use. The trust ends after the overall lifetime, or
 * earlier if the user does not sign in for the idle lifetime. Ignore the result if the request demands a factor.
 * @param token the token from the browser's cookie. Text from elsewhere is harmless.
 */
export async function isBrowserTrusted(
  context: DataContext,
  userId: string,
  token: string,
  { overall, idle }: TrustLifetimes = defaultLifetimes,
): Promise<boolean> {
  const { trusted_browsers: browsers } = context.data;
  const browser_hash = await hashOf(userId, token);
  const [browser] = await browsers.find({ where: { browser_hash, user_id: userId }, limit: 1 });
  const now = context.now();
  if (browser === undefined) return false;
  const { created_at, last_used_at: used } = browser;
  // The tenant may have shortened the lifetimes since the row was written.
  if (created_at + overall <= now || used + idle <= now) return false;
  const set = { last_used_at: now, expires_at: Math.min(now + idle, created_at + overall) };
  // The trust may have ended before or since the row was read. The write decides.
  return (await browsers.update({ browser_hash, user_id: userId, created_at, expires_at: { gt: now } }, { set })) === 1;
}

/** The browsers that a user trusts now. */
interface TrustedBrowsers {
  /** At most 100. */
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt: number;
}

/** Returns how many browsers a user trusts, and when one was used last. Undefined if the user trusts no browser. */
export async function trustedBrowsersOf(
  context: DataContext,
  userId: string,
  { overall, idle }: TrustLifetimes = defaultLifetimes,
): Promise<TrustedBrowsers | undefined> {
  const now = context.now();
  const rows = await context.data.trusted_browsers.find({ where: { user_id: userId }, limit: 100 });
  const valid = rows.filter(({ created_at, last_used_at: used }) => created_at + overall > now && used + idle > now);
  return valid.length === 0 ? undefined : { count: valid.length, lastUsedAt: Math.max(...valid.map(({ last_used_at: used }) => used)) };
}

/**
 * Ends the trust in all browsers of a user: after a change of the password or of a factor, when the user is blocked, and
 * when an administrator requests it. Idempotent.
 */
export async function forgetTrustedBrowsers(data: Pick<TenantData, "trusted_browsers">, userId: string): Promise<void> {
  await data.trusted_browsers.delete({ user_id: userId });
}

async function hashOf(userId: string, token: string): Promise<string> {
  return sha256(`${token}|${userId}`);
}
