import type { DataContext, ServiceContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { isPublic, type RefreshTokenSettings } from "../../model/clients/refresh-token-settings.ts";
import type { RequestInfo } from "../../context.ts";
import { accessTokenMemory } from "../access-token.ts";

export type StoredRefreshToken = Row<"refresh_tokens">;

/**
 * The content of a refresh token, the same for all tokens of its family. `audience` is the API's stored identifier; null for
 * a token that is valid only for `/userinfo`. `auth_time` is stored: see `toStoredAuthTime`. `claims` are those that the
 * `claims` parameter of the authorization request requested.
 */
type RefreshGrant = Pick<
  StoredRefreshToken,
  | "grant_id"
  | "family_id"
  | "session_id"
  | "client_id"
  | "user_id"
  | "organization_id"
  | "audience"
  | "scope"
  | "auth_time"
  | "claims"
  | "jkt"
>;

/** A new token: its text, which is never stored, and its database row. */
export interface MintedToken {
  readonly text: string;
  readonly record: StoredRefreshToken;
}

/** The input from which the text of a new token derives, so that a repeated request gets the same text. */
interface Derivation {
  /** A secret of the request: the token that the new token replaces, as the client presented it. */
  readonly text: string;
  /** The id of the new token. Default: a random id. */
  readonly id?: string;
  /** When the family of the token expires. Default: according to the settings, because the token begins a family. */
  readonly expiresAt?: number | null;
}

/** Creates a token without storing it: the first token of a family, or the successor of another token. */
export async function mintRefreshToken(
  context: ServiceContext,
  grant: RefreshGrant,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
  derivation?: Derivation,
): Promise<MintedToken> {
  const now = context.now();
  const { id = context.random.record("rt_"), expiresAt = absoluteExpiry(settings, now) } = derivation ?? {};
  const text = derivation === undefined ? context.random.token(48) : await context.secrets.successors.textOf(derivation.text, id);
  const device = { ip: requestInfo.ip ?? null, user_agent: requestInfo.userAgent.slice(0, 1000) };
  return {
    text,
    record: {
      ...grant,
      id,
      token_hash: await sha256(text),
      device: { initial: device, last: device },
      refresh_token_metadata: {},
      rotated_at: null,
      rotated_to: null,
      presented_at: null,
      reissued_at: null,
      recovered_at: null,
      revoked_at: null,
      expires_at: expiresAt,
      last_exchanged_at: null,
      created_at: now,
      ...fromUse(settings, expiresAt, now),
    },
  };
}

/**
 * Returns the fields that are set when a token is created and at each use: `idle_expires_at`, and `purge_at`, after
 * which `sweep` may delete the row. An expired token is stored until all access tokens that were issued with it have
 * expired. Until then, a replay of the token is detected, and the row of its session exists.
 */
function fromUse(
  settings: RefreshTokenSettings,
  expiresAt: number | null,
  now: number,
): Pick<StoredRefreshToken, "idle_expires_at" | "purge_at"> {
  const idleExpiresAt = settings.infinite_idle_token_lifetime === true ? null : now + (settings.idle_token_lifetime ?? 1_296_000) * 1000;
  const ends = [expiresAt, idleExpiresAt].filter((end) => end !== null);
  return { idle_expires_at: idleExpiresAt, purge_at: ends.length === 0 ? null : Math.max(...ends) + accessTokenMemory };
}

/** Stores the use of a token that does not rotate. @returns `false` if another request revoked or rotated the token. */
export async function recordUse(
  context: DataContext,
  { id, expires_at: expiresAt }: StoredRefreshToken,
  settings: RefreshTokenSettings,
): Promise<boolean> {
  const now = context.now();
  const set = { last_exchanged_at: now, presented_at: now, ...fromUse(settings, expiresAt, now) };
  return (await context.data.refresh_tokens.update({ id, rotated_at: null, revoked_at: null }, { set })) === 1;
}

function absoluteExpiry(settings: RefreshTokenSettings, now: number): number | null {
  return settings.expiration_type === "non-expiring" || settings.infinite_token_lifetime === true
    ? null
    : now + (settings.token_lifetime ?? 2_592_000) * 1000;
}

/**
 * Returns the token with its effective expiry. A token that was issued to a confidential client may have no expiry. If
 * the client has become public, its credentials no longer protect the token. The token then expires as if the client
 * had always been public.
 * @param settings the current refresh token settings of the client.
 */
export function withExpiry(
  token: StoredRefreshToken,
  settings: RefreshTokenSettings,
  { token_endpoint_auth_method: method }: { readonly token_endpoint_auth_method: string },
): StoredRefreshToken {
  if (!isPublic(method)) return token;
  const expiresAt = token.expires_at ?? absoluteExpiry(settings, token.created_at);
  const { idle_expires_at: idle } = fromUse(settings, expiresAt, token.presented_at ?? token.created_at);
  return { ...token, expires_at: expiresAt, idle_expires_at: token.idle_expires_at ?? idle };
}

/** `true` if the idle or the absolute lifetime of a token has ended. */
export function isExpired({ expires_at: expiresAt, idle_expires_at: idleExpiresAt }: StoredRefreshToken, now: number): boolean {
  return (expiresAt !== null && expiresAt <= now) || (idleExpiresAt !== null && idleExpiresAt <= now);
}

/**
 * Revokes all refresh tokens of a family and the access tokens of its grant. @returns `false` if the family was revoked
 * before.
 */
export async function revokeFamily(context: DataContext, token: StoredRefreshToken, reason: string): Promise<boolean> {
  const now = context.now();
  const [revoked] = await Promise.all([
    context.data.refresh_tokens.update({ family_id: token.family_id, revoked_at: null }, { set: { revoked_at: now } }),
    revokeGrant(context, token.grant_id, reason),
  ]);
  return revoked > 0;
}

/** Revokes all refresh tokens and access tokens of a grant. @returns `false` if the grant was revoked before. */
export async function revokeGrantWithTokens(context: DataContext, grantId: string, reason: string): Promise<boolean> {
  await context.data.refresh_tokens.update({ grant_id: grantId, revoked_at: null }, { set: { revoked_at: context.now() } });
  return revokeGrant(context, grantId, reason);
}

/** Revokes the access tokens of a grant before they expire. @returns `false` if they were revoked before. */
export async function revokeGrant(context: DataContext, grantId: string, reason: string): Promise<boolean> {
  const now = context.now();
  return context.data.revoked_grants.insert([{ grant_id: grantId, reason, created_at: now, expires_at: now + accessTokenMemory }]);
}

/** `true` if the access tokens of a grant are revoked. */
export async function isGrantRevoked(data: TenantData, grantId: string): Promise<boolean> {
  return (await data.revoked_grants.count({ grant_id: grantId })) > 0;
}
