import type { DataContext, ServiceContext } from "../../context.ts";
import { networkOf } from "../../adapters/addresses.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { RefreshTokenSettings } from "../../model/clients/refresh-token-settings.ts";
import type { RequestInfo } from "../../context.ts";
import { maxClockSkew } from "../../process-state/rotations.ts";
import { isExpired, mintRefreshToken, revokeFamily, type MintedToken, type RefreshToken } from "./refresh-token.ts";

/**
 * The outcome of presenting a refresh token.
 *
 * - `rotated`: the successor. It was created now or a moment ago by a parallel request, or is sent again for a late
 * replay.
 * - `recovered`: the successor never reached the client. This is a second successor, issued at most once.
 * - `reused`: the token may be stolen. The family is revoked; `first` is `true` if this request revoked it.
 */
export type Rotation =
  | { readonly kind: "rotated"; readonly text: string }
  | { readonly kind: "recovered"; readonly text: string }
  | { readonly kind: "reused"; readonly first: boolean };

/** How often a lost race is retried. `changeRow` does not fit, because each retry may take a different branch. */
const tries = 5;

/**
 * Exchanges a presented token for its successor. One guarded update decides: of parallel requests one rotates the
 * token, and the others receive the same successor within the leeway. A race, a lost response or a crash therefore
 * never signs out an honest user. Any other reuse of a rotated token revokes the family.
 *
 * @param presented the token's text, from which the text of its successor is derived.
 * @param token the row as it was read. It may be expired only if it was rotated before.
 */
export async function rotate(
  context: DataContext,
  presented: string,
  token: RefreshToken,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
): Promise<Rotation> {
  const { data } = context;
  let current: RefreshToken | undefined = token;
  // The rotation happened during this request, because the token was read before it was rotated. This holds for any
  // clock skew between processes.
  let isParallel = false;
  for (let attempt = 0; attempt < tries && current !== undefined; attempt++) {
    const { leeway } = settings;
    if (current.revoked_at !== null) return reuse(context, current);
    if (current.rotated_at === null) {
      const successor = await mint(context, presented, current, settings, requestInfo);
      // The successor is inserted first: a crash before the update leaves only a row whose text no client has.
      await data.refresh_tokens.insert([successor.record]);
      const set = { ...rotationTo(context, successor), presented_at: context.now(), last_exchanged_at: context.now() };
      if ((await data.refresh_tokens.update({ id: current.id, rotated_at: null, revoked_at: null }, { set })) === 1) {
        context.processState.rotations.record(successor.record.id);
        return { kind: "rotated", text: successor.text };
      }
      await data.refresh_tokens.delete({ id: successor.record.id });
      isParallel = true;
    } else {
      const replay = leeway === 0 ? "too late" : isParallel ? "in time" : judgeReplay(context, current, settings);
      const successor = leeway === 0 ? undefined : await findSuccessor(data, current);
      // The text is undefined if the key that derived it was removed. The successor then has to be replaced.
      const text = successor && (await context.secrets.successors.find(presented, successor.id, successor.token_hash));
      const known = successor !== undefined && text !== undefined ? { successor, text } : undefined;
      if (known && (replay === "in time" || isReissued(context, known.successor, settings))) return { kind: "rotated", text: known.text };
      if (known && replay === "skewed" && isHarmless(known.successor, current, context, settings, requestInfo)) {
        if ((await reissue(context, known.successor)) === 1) return { kind: "rotated", text: known.text };
      } else {
        const recovered = isRecoverable(current, successor, context.now(), settings)
          ? await recover(context, presented, current, successor?.reissued_at ?? null, settings, requestInfo)
          : undefined;
        if (recovered === undefined) return reuse(context, current);
        if (recovered !== "lost-race") return recovered;
      }
    }
    [current] = await data.refresh_tokens.find({ where: { id: token.id }, limit: 1 });
  }
  return { kind: "reused", first: false };
}

/**
 * `true` if a rotated token may get a second successor: once, within the recovery window, if the current successor was
 * never presented.
 */
function isRecoverable(
  token: RefreshToken,
  successor: RefreshToken | undefined,
  now: number,
  { recovery_window: recoveryWindow }: RefreshTokenSettings,
): boolean {
  if (token.rotated_at === null || token.recovered_at !== null || isExpired(token, now)) return false;
  if (successor !== undefined && successor.presented_at !== null) return false;
  return recoveryWindow > 0 && now <= token.rotated_at + recoveryWindow * 1000;
}

/**
 * Handles an old token that is presented after the leeway. If the successor was never presented, the response that
 * contained it was lost: the unused successor is revoked, so it cannot be presented later, and a second one replaces
 * it. Happens at most once for each token.
 *
 * @param reissuedAt as it was read with the successor: a parallel {@link reissue} makes the guarded update fail.
 * @returns undefined if the successor was presented; "lost-race" if a parallel request replaced or reissued it first.
 */
async function recover(
  context: DataContext,
  presented: string,
  token: RefreshToken,
  reissuedAt: number | null,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
): Promise<Rotation | "lost-race" | undefined> {
  const { data } = context;
  const unused = { id: token.rotated_to ?? "", presented_at: null, reissued_at: reissuedAt, revoked_at: null };
  const killed = await data.refresh_tokens.update(unused, { set: { revoked_at: context.now() } });
  if (killed === 0) {
    const successor = await findSuccessor(data, token);
    if (successor === undefined || successor.presented_at !== null) return undefined;
    if (successor.revoked_at === null) return "lost-race";
    // Revoked by a process that crashed or by a parallel request. It was not a revocation of the family, because this
    // token is not revoked.
  }

  const successor = await mint(context, presented, token, settings, requestInfo);
  await data.refresh_tokens.insert([successor.record]);
  const set = { ...rotationTo(context, successor), recovered_at: context.now() };
  const guard = { id: token.id, rotated_to: token.rotated_to, recovered_at: null, revoked_at: null };
  if ((await data.refresh_tokens.update(guard, { set })) === 1) {
    context.processState.rotations.record(successor.record.id);
    return { kind: "recovered", text: successor.text };
  }
  await data.refresh_tokens.delete({ id: successor.record.id });
  return "lost-race";
}

/**
 * Marks a successor as sent again, so that no other process replaces it: a client that received both would present the
 * revoked one and lose its family.
 *
 * @returns 0 if a parallel request presented, replaced or reissued it.
 */
function reissue(context: DataContext, { id }: RefreshToken): Promise<number> {
  return context.data.refresh_tokens.update(
    { id, presented_at: null, reissued_at: null, revoked_at: null },
    { set: { reissued_at: context.now() } },
  );
}

/**
 * `true` if a parallel request, in this or another process, has just sent an unused successor again. Then every other
 * replay gets the same successor.
 */
function isReissued(
  context: ServiceContext,
  { presented_at, revoked_at, reissued_at: at }: RefreshToken,
  { leeway }: RefreshTokenSettings,
): boolean {
  return at !== null && presented_at === null && revoked_at === null && Math.abs(context.now() - at) <= leeway * 1000 + maxClockSkew;
}

async function reuse(context: DataContext, token: RefreshToken): Promise<Rotation> {
  return { kind: "reused", first: await revokeFamily(context, token, "refresh_token_reuse") };
}

function mint(
  context: ServiceContext,
  presented: string,
  token: RefreshToken,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
): Promise<MintedToken> {
  const grant = {
    grantId: token.grant_id,
    familyId: token.family_id,
    sessionId: token.session_id,
    clientId: token.client_id,
    userId: token.user_id,
    organizationId: token.organization_id,
    audience: token.audience,
    scope: token.scope,
    authTime: token.auth_time,
    claims: token.claims,
  };
  return mintRefreshToken(context, grant, settings, requestInfo, { text: presented, expiresAt: token.expires_at });
}

/** The fields of a rotated token that refer to its successor. */
function rotationTo(context: ServiceContext, { record }: MintedToken): Pick<RefreshToken, "rotated_at" | "rotated_to"> {
  return { rotated_at: context.now(), rotated_to: record.id };
}

async function findSuccessor(data: TenantData, { rotated_to: id }: RefreshToken): Promise<RefreshToken | undefined> {
  return id === null ? undefined : (await data.refresh_tokens.find({ where: { id }, limit: 1 }))[0];
}

/**
 * Decides whether a rotated token is presented within the leeway, so that the client receives the same successor.
 *
 * The process that rotated the token measures the leeway with its monotonic clock. Any other process does so from the
 * moment at which it first reads the rotation. Until then it has only `rotated_at`, which was written with a clock that
 * may be {@link maxClockSkew} ahead or behind. If only that skew can explain the age, the replay is `skewed`, and
 * within the leeway only if {@link isHarmless}.
 */
function judgeReplay(
  context: ServiceContext,
  { rotated_at: rotatedAt, rotated_to: successorId }: RefreshToken,
  { leeway }: RefreshTokenSettings,
): "in time" | "skewed" | "too late" {
  if (rotatedAt === null || successorId === null) return "too late";
  const { age, isOwn } = context.processState.rotations.seen(successorId);
  if (age > leeway * 1000) return "too late";
  if (isOwn) return "in time";
  const claimedAge = context.now() - rotatedAt;
  if (claimedAge > leeway * 1000 + maxClockSkew) return "too late";
  return claimedAge >= -maxClockSkew && claimedAge <= leeway * 1000 ? "in time" : "skewed";
}

/**
 * `true` if a replay whose age is uncertain may receive the successor. The replay must not gain more than it would
 * without the clock skew. Requires that the successor was never presented. Also requires that the recovery window would
 * replace the successor, or that the request comes from the device of the rotation.
 */
function isHarmless(
  successor: RefreshToken,
  { rotated_at: rotatedAt }: RefreshToken,
  context: ServiceContext,
  { recovery_window: recoveryWindow }: RefreshTokenSettings,
  requestInfo: RequestInfo,
): boolean {
  if (rotatedAt === null || successor.presented_at !== null || successor.reissued_at !== null || successor.revoked_at !== null)
    return false;
  return context.now() - rotatedAt <= recoveryWindow * 1000 || isSameDevice(successor, requestInfo);
}

/**
 * `true` if a request appears to come from the device that the token was issued to: the same user agent in the same
 * network.
 */
function isSameDevice({ device }: RefreshToken, { ip, userAgent }: RequestInfo): boolean {
  const { initial } = device;
  if (typeof initial !== "object" || initial === null || !("ip" in initial) || !("user_agent" in initial)) return false;
  const network = typeof initial["ip"] === "string" ? networkOf(initial["ip"]) : undefined;
  return initial["user_agent"] === userAgent.slice(0, 1000) && network === (ip === undefined ? undefined : networkOf(ip));
}
