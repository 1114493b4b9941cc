import type { DataContext, ServiceContext } from "../../context.ts";
import { networkOf } from "../../adapters/addresses.ts";
import { findOne } from "../../store/find-one.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { RefreshTokenSettings } from "../../model/clients/refresh-token-settings.ts";
import type { RequestInfo } from "../../context.ts";
import { maxClockSkew } from "../../process-state/rotations.ts";
import { isExpired, mintRefreshToken, revokeFamily, type MintedToken, type StoredRefreshToken } from "./refresh-token.ts";

/**
 * The outcome of presenting a refresh token.
 *
 * - `rotated`: the client receives the successor. This request or a parallel request created the successor, or it is
 * sent again for a late replay.
 * - `recovered`: the first successor never reached the client, so the client receives a second one. This happens at
 * most once for each token.
 * - `reused`: the token may be stolen. The family is revoked; `first` is `true` if this request revoked it.
 */
type Rotation =
  | { readonly kind: "rotated"; readonly text: string }
  | { readonly kind: "recovered"; readonly text: string }
  | { readonly kind: "reused"; readonly first: boolean };

/**
 * The maximum number of attempts if parallel requests win the races. `changeRow` cannot be used, because each attempt
 * may take a different branch.
 */
const tries = 5;

/**
 * Exchanges a presented token for its successor. The request whose conditional update succeeds rotates the token.
 * Parallel requests receive the same successor within the leeway. A race, a lost response or a crash therefore never
 * signs out an honest user. Any other reuse of a rotated token revokes the family.
 *
 * @param presented the token's text, from which the text of its successor is derived.
 * @param token the row as it was read. The token may be expired only if it was rotated before.
 */
export async function rotate(
  context: DataContext,
  presented: string,
  token: StoredRefreshToken,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
): Promise<Rotation> {
  const { data } = context;
  let current: StoredRefreshToken | undefined = token;
  // Whether a parallel request rotated the token after this request read it. This does not depend on the clock skew
  // between processes.
  let isParallel = false;
  for (let attempt = 0; attempt < tries && current !== undefined; attempt++) {
    const { leeway } = settings;
    if (current.revoked_at !== null) return reuse(context, current);
    if (current.rotated_at === null) {
      const successor = await mint(context, presented, current, settings, requestInfo);
      // The successor is inserted before the update, so that a crash in between leaves only a row whose text no client
      // has.
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
    current = await findOne(data.refresh_tokens, { id: token.id });
  }
  return { kind: "reused", first: false };
}

/**
 * `true` if a rotated token may get a second successor: once, within the recovery window, if the current successor was
 * never presented.
 */
function isRecoverable(
  token: StoredRefreshToken,
  successor: StoredRefreshToken | undefined,
  now: number,
  { recovery_window: recoveryWindow }: RefreshTokenSettings,
): boolean {
  if (token.rotated_at === null || token.recovered_at !== null || isExpired(token, now)) return false;
  if (successor !== undefined && successor.presented_at !== null) return false;
  return recoveryWindow > 0 && now <= token.rotated_at + recoveryWindow * 1000;
}

/**
 * Replaces a successor that never reached the client, when the old token is presented after the leeway. A successor
 * that was never presented is revoked, so that it cannot be presented later, and a second successor replaces it. This
 * happens at most once for each token.
 *
 * @param reissuedAt the `reissued_at` of the successor when it was read. A parallel {@link reissue} changes it, so that
 * the conditional update fails.
 * @returns undefined if the successor was presented; "lost-race" if a parallel request replaced or reissued it first.
 */
async function recover(
  context: DataContext,
  presented: string,
  token: StoredRefreshToken,
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
    // The successor was revoked by a process that then crashed, or by a parallel request. The family was not revoked,
    // because the old token is not revoked.
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
 * Marks a successor as sent again, so that no other process replaces it. Otherwise a client could receive both
 * successors, present the revoked one and lose its token family.
 *
 * @returns 0 if a parallel request presented, replaced or reissued the successor.
 */
function reissue(context: DataContext, { id }: StoredRefreshToken): Promise<number> {
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
  { presented_at, revoked_at, reissued_at: at }: StoredRefreshToken,
  { leeway }: RefreshTokenSettings,
): boolean {
  return at !== null && presented_at === null && revoked_at === null && Math.abs(context.now() - at) <= leeway * 1000 + maxClockSkew;
}

async function reuse(context: DataContext, token: StoredRefreshToken): Promise<Rotation> {
  return { kind: "reused", first: await revokeFamily(context, token, "refresh_token_reuse") };
}

function mint(
  context: ServiceContext,
  presented: string,
  token: StoredRefreshToken,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
): Promise<MintedToken> {
  return mintRefreshToken(context, token, settings, requestInfo, { text: presented, expiresAt: token.expires_at });
}

/** The fields of a rotated token that refer to its successor. */
function rotationTo(context: ServiceContext, { record }: MintedToken): Pick<StoredRefreshToken, "rotated_at" | "rotated_to"> {
  return { rotated_at: context.now(), rotated_to: record.id };
}

async function findSuccessor(data: TenantData, { rotated_to: id }: StoredRefreshToken): Promise<StoredRefreshToken | undefined> {
  return id === null ? undefined : await findOne(data.refresh_tokens, { id });
}

/**
 * Decides whether a rotated token is presented within the leeway, so that the client receives the same successor.
 *
 * The process that rotated the token measures the leeway with its monotonic clock. Any other process measures it from
 * the moment at which that process first reads the rotated row. Before, the process knows only `rotated_at`, which was
 * written with a clock that may be {@link maxClockSkew} ahead or behind. The result is `skewed` if the replay is within
 * the leeway only under the assumption of clock skew. Such a replay is accepted only if {@link isHarmless}.
 */
function judgeReplay(
  context: ServiceContext,
  { rotated_at: rotatedAt, rotated_to: successorId }: StoredRefreshToken,
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
 * `true` if a replay whose age is uncertain may receive the successor. The sender must not gain more than without the
 * clock skew. Requires that the successor was never presented, reissued or revoked. Also requires that the recovery
 * window is still open, or that the request comes from the device that rotated the token.
 */
function isHarmless(
  successor: StoredRefreshToken,
  { rotated_at: rotatedAt }: StoredRefreshToken,
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
function isSameDevice({ device }: StoredRefreshToken, { ip, userAgent }: RequestInfo): boolean {
  const { initial } = device;
  if (typeof initial !== "object" || initial === null || !("ip" in initial) || !("user_agent" in initial)) return false;
  const network = typeof initial["ip"] === "string" ? networkOf(initial["ip"]) : undefined;
  return initial["user_agent"] === userAgent.slice(0, 1000) && network === (ip === undefined ? undefined : networkOf(ip));
}
