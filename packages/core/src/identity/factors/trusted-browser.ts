import { sha256 } from "../../adapters/digest.ts";
import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
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
  /** When the tenant last ended all trust, in milliseconds since 1970. Default: never. */
  readonly endedAt?: number;
}

const defaultLifetimes: TrustLifetimes = { overall: trustLifetime, idle: trustIdleLifetime };

/**
 * Maximum number of users who can trust one browser. The cookie of the browser contains one secret for each of them. A
 * further trust ends the oldest.
 */
const maximumTrusts = 10;

/** Separates the secrets in the cookie. */
const separator = ".";

/** The text of a secret: 32 random bytes in base64url. */
const secretPattern = /^[\w-]{43}$/;

/** A secret in the cookie of a browser, with the hash that is stored. */
interface TrustSecret {
  readonly secret: string;
  readonly hash: string;
}

/**
 * Trusts a browser, because the user passed a factor in it and chose not to be asked again. Do not call this function
 * after a recovery code, or after a code that was sent by email. Each trust has a new secret, so that a secret that
 * another user of the browser noted earlier is not valid for it. An earlier trust of the same user ends.
 * @param userId the id of the primary account.
 * @param cookie the text of the browser's cookie, if the browser sent one.
 * @returns the new text of the cookie: the new secret, and those of the other users who still trust the browser.
 */
export async function trustBrowser(
  context: DataContext,
  userId: string,
  cookie: string | undefined,
  { overall, idle }: TrustLifetimes = defaultLifetimes,
): Promise<string> {
  const { trusted_browsers: browsers } = context.data;
  const secret = context.random.token();
  const now = context.now();
  const times = { created_at: now, last_used_at: now, expires_at: now + Math.min(idle, overall) };
  await browsers.insert([{ browser_hash: await sha256(secret), user_id: userId, ...times }]);
  const former = await secretsIn(cookie);
  if (former.length === 0) return secret;
  const hashes = former.map(({ hash }) => hash);
  const rows = await browsers.find({ where: { browser_hash: { in: hashes } }, limit: maximumTrusts });
  const isOfOther = ({ hash }: TrustSecret): boolean =>
    rows.some((row) => row.browser_hash === hash && row.user_id !== userId && row.expires_at > now);
  const kept = former.filter(isOfOther).slice(0, maximumTrusts - 1);
  const ended = rows.map(({ browser_hash: hash }) => hash).filter((hash) => !kept.some((one) => one.hash === hash));
  if (ended.length > 0) await browsers.delete({ browser_hash: { in: ended } });
  return [secret, ...kept.map((one) => one.secret)].join(separator);
}

/**
 * Returns whether a browser is trusted for a user, and records its use. The trust ends after the overall lifetime, or
 * earlier if the user does not sign in for the idle lifetime. Ignore the result if the request demands a factor.
 * @param cookie the text of the browser's cookie. Text from elsewhere is harmless.
 */
export async function isBrowserTrusted(
  context: DataContext,
  userId: string,
  cookie: string,
  lifetimes: TrustLifetimes = defaultLifetimes,
): Promise<boolean> {
  const { trusted_browsers: browsers } = context.data;
  const hashes = (await secretsIn(cookie)).map(({ hash }) => hash);
  if (hashes.length === 0) return false;
  const rows = await browsers.find({ where: { browser_hash: { in: hashes }, user_id: userId }, limit: maximumTrusts });
  const now = context.now();
  const browser = rows.find((row) => isValid(row, now, lifetimes));
  if (browser === undefined) return false;
  const { browser_hash, created_at } = browser;
  const set = { last_used_at: now, expires_at: Math.min(now + lifetimes.idle, created_at + lifetimes.overall) };
  // The trust may have ended before or since the row was read. The write decides.
  return (await browsers.update({ browser_hash, user_id: userId, created_at, expires_at: { gt: now } }, { set })) === 1;
}

/** Whether a trust is valid. The tenant may have ended it or shortened the lifetimes since the row was written. */
function isValid(
  { created_at: created, last_used_at: used }: Pick<Row<"trusted_browsers">, "created_at" | "last_used_at">,
  now: number,
  { overall, idle, endedAt = -Infinity }: TrustLifetimes,
): boolean {
  return created > endedAt && created + overall > now && used + idle > now;
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
  lifetimes: TrustLifetimes = defaultLifetimes,
): Promise<TrustedBrowsers | undefined> {
  const now = context.now();
  const rows = await context.data.trusted_browsers.find({ where: { user_id: userId }, limit: 100 });
  const valid = rows.filter((row) => isValid(row, now, lifetimes));
  return valid.length === 0 ? undefined : { count: valid.length, lastUsedAt: Math.max(...valid.map(({ last_used_at: used }) => used)) };
}

/**
 * Ends the trust in all browsers of a user: after a change of the password or of a factor, when the user is blocked, and
 * when an administrator requests it. Idempotent.
 */
export async function forgetTrustedBrowsers(data: Pick<TenantData, "trusted_browsers">, userId: string): Promise<void> {
  await data.trusted_browsers.delete({ user_id: userId });
}

/** Returns the secrets in a cookie, the newest first. Other text is ignored. */
async function secretsIn(cookie = ""): Promise<readonly TrustSecret[]> {
  const secrets = cookie.split(separator, maximumTrusts).filter((text) => secretPattern.test(text));
  return Promise.all(secrets.map(async (secret) => ({ secret, hash: await sha256(secret) })));
}
