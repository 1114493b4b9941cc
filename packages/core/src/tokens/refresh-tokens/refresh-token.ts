import type { DataContext, ServiceContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { JsonObject } from "../../store/value.ts";
import { isPublic, type RefreshTokenSettings } from "../../model/clients/refresh-token-settings.ts";
import type { RequestInfo } from "../../context.ts";
import { accessTokenMemory } from "../access-token.ts";

export type RefreshToken = Row<"refresh_tokens">;

/** What a refresh token stands for, as long as its family lives. */
export interface RefreshGrant {
  readonly grantId: string;
  readonly familyId: string;
  readonly sessionId: string | null;
  readonly clientId: string;
  readonly userId: string;
  readonly organizationId: string | null;
  /** The API's stored identifier; null for `/userinfo` alone. */
  readonly audience: string | null;
  readonly scope: readonly string[];
  /** Milliseconds since 1970, as stored: see `toStoredAuthTime`. */
  readonly authTime: number;
  /** Single claims that the login asked for, as whoever grants wrote them. */
  readonly claims: JsonObject;
}

/** A new token: its text, which is stored nowhere, and its record. */
export interface MintedToken {
  readonly text: string;
  readonly record: RefreshToken;
}

/** The token that a new one follows: its text as it was presented, and when its family ends. */
export interface Predecessor {
  readonly text: string;
  readonly expiresAt: number | null;
}

/** Makes a token without storing it: the first of a family, or one that follows another. */
export async function mintRefreshToken(
  context: ServiceContext,
  grant: RefreshGrant,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
  predecessor?: Predecessor,
): Promise<MintedToken> {
  const now = context.now();
  const id = context.random.record("rt_");
  const text = predecessor === undefined ? context.random.token(48) : await context.secrets.successors.textOf(predecessor.text, id);
  const expiresAt = predecessor === undefined ? absoluteExpiry(settings, now) : predecessor.expiresAt;
  const device = { ip: requestInfo.ip ?? null, user_agent: requestInfo.userAgent.slice(0, 1000) };
  return {
    text,
    record: {
      id,
      token_hash: await sha256(text),
      family_id: grant.familyId,
      grant_id: grant.grantId,
      session_id: grant.sessionId,
      client_id: grant.clientId,
      user_id: grant.userId,
      organization_id: grant.organizationId,
      audience: grant.audience,
      scope: grant.scope,
      claims: grant.claims,
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
      auth_time: grant.authTime,
      created_at: now,
      ...fromUse(settings, expiresAt, now),
    },
  };
}

/**
 * What each use of a token moves, the first of which is its making: when it ends for not being used, and with that when `sweep` may take it. It is kept after its
 * end, so that its replay is still recognised and its session is there as long as an access token that came with it may live.
 */
function fromUse(
  settings: RefreshTokenSettings,
  expiresAt: number | null,
  now: number,
): Pick<RefreshToken, "idle_expires_at" | "purge_at"> {
  const idleExpiresAt = settings.infinite_idle_token_lifetime === true ? null : now + (settings.idle_token_lifetime ?? 1_296_000) * 1000;
  const ends = [expiresAt, idleExpiresAt].filter((end) => end !== null);
  return { idle_expires_at: idleExpiresAt, purge_at: ends.length === 0 ? null : Math.max(...ends) + accessTokenMemory };
}

/** Notes that a token which does not rotate was used. @returns false where it was revoked meanwhile. */
export async function recordUse(
  context: DataContext,
  { id, expires_at: expiresAt }: RefreshToken,
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
 * A token with the ends that it has by now. One that a client got while it could keep a secret may have none; as soon as the client is public, nothing binds the token to it, and it
 * ends when it would have, had the client been public then.
 * @param settings how the client's tokens live now.
 */
export function withExpiry(
  token: RefreshToken,
  settings: RefreshTokenSettings,
  { token_endpoint_auth_method: method }: { readonly token_endpoint_auth_method: string },
): RefreshToken {
  if (!isPublic(method)) return token;
  const expiresAt = token.expires_at ?? absoluteExpiry(settings, token.created_at);
  const { idle_expires_at: idle } = fromUse(settings, expiresAt, token.presented_at ?? token.created_at);
  return { ...token, expires_at: expiresAt, idle_expires_at: token.idle_expires_at ?? idle };
}

/** Whether a token is past its idle or its absolute lifetime. */
export function isExpired({ expires_at: expiresAt, idle_expires_at: idleExpiresAt }: RefreshToken, now: number): boolean {
  return (expiresAt !== null && expiresAt <= now) || (idleExpiresAt !== null && idleExpiresAt <= now);
}

/** Ends a family: none of its tokens works any more, nor the access tokens of its grant. @returns false where it had ended before. */
export async function revokeFamily(context: DataContext, token: RefreshToken, reason: string): Promise<boolean> {
  const now = context.now();
  const [revoked] = await Promise.all([
    context.data.refresh_tokens.update({ family_id: token.family_id, revoked_at: null }, { set: { revoked_at: now } }),
    revokeGrant(context, token.grant_id, reason),
  ]);
  return revoked > 0;
}

/** Ends a grant: none of its refresh tokens works any more, nor its access tokens. @returns false where it had ended before. */
export async function revokeGrantWithTokens(context: DataContext, grantId: string, reason: string): Promise<boolean> {
  await context.data.refresh_tokens.update({ grant_id: grantId, revoked_at: null }, { set: { revoked_at: context.now() } });
  return revokeGrant(context, grantId, reason);
}

/** Refuses the access tokens of a grant although they have not expired. @returns false where they were refused before. */
export async function revokeGrant(context: DataContext, grantId: string, reason: string): Promise<boolean> {
  const now = context.now();
  return context.data.revoked_grants.insert([{ grant_id: grantId, reason, created_at: now, expires_at: now + accessTokenMemory }]);
}

/** Whether the access tokens of a grant are refused. */
export async function isGrantRevoked(data: TenantData, grantId: string): Promise<boolean> {
  return (await data.revoked_grants.count({ grant_id: grantId })) > 0;
}
