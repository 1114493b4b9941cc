import type { TenantData } from "../../data/tenant-data.ts";
import type { RefreshTokenSettings } from "../../model/clients/refresh-token-settings.ts";
import type { RequestInfo } from "../request-info.ts";
import type { Environment } from "../environment.ts";
import { isExpired, mintRefreshToken, revokeFamily, type MintedToken, type RefreshToken } from "./refresh-token.ts";

/**
 * What became of a token that was presented.
 *
 * - `rotated`: here is its successor, made now or a moment ago by a parallel request.
 * - `recovered`: the successor never reached the client; here is another, once.
 * - `reused`: somebody else may have it; the family has been revoked (`first` says whether by this request).
 */
export type Rotation =
  | { readonly kind: "rotated"; readonly text: string }
  | { readonly kind: "recovered"; readonly text: string }
  | { readonly kind: "reused"; readonly first: boolean };

/** How often two parallel requests may get in each other's way before one gives up. Each look may lead another way, which `changeRow` does not know. */
const tries = 5;

/**
 * Exchanges a presented token for its successor. One guarded update decides: of parallel requests one rotates, the others get the same successor while the
 * leeway lasts. So no honest client is logged out by a race, a lost answer or a crash; whoever presents a token that was truly used again ends the family.
 *
 * @param presented the token's text, from which its successor's is derived.
 * @param token its record as it was read; expired only where it was rotated before.
 */
export async function rotate(
  environment: Environment,
  data: TenantData,
  presented: string,
  token: RefreshToken,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
): Promise<Rotation> {
  let current: RefreshToken | undefined = token;
  for (let attempt = 0; attempt < tries && current !== undefined; attempt++) {
    const { clock } = environment;
    const { leeway, recovery_window: recoveryWindow } = settings;
    if (current.revoked_at !== null) return reuse(environment, data, current);
    if (current.rotated_at === null) {
      const successor = await mint(environment, presented, current, settings, requestInfo);
      // The child comes first: if this process is lost now, an unknown token lies about that nobody holds.
      await data.refresh_tokens.insert([successor.record]);
      const set = { ...rotationTo(environment, successor), presented_at: clock.now(), last_exchanged_at: clock.now() };
      if ((await data.refresh_tokens.update({ id: current.id, rotated_at: null, revoked_at: null }, { set })) === 1) {
        return { kind: "rotated", text: successor.text };
      }
      await data.refresh_tokens.delete({ id: successor.record.id });
    } else {
      const inLeeway = leeway > 0 && clock.now() <= current.rotated_at + leeway * 1000;
      const text = inLeeway ? await successorText(environment, data, presented, current) : undefined;
      if (text !== undefined) return { kind: "rotated", text };
      const now = clock.now();
      const inWindow = recoveryWindow > 0 && now <= current.rotated_at + recoveryWindow * 1000;
      const recoverable = inWindow && current.recovered_at === null && !isExpired(current, now);
      const recovered = recoverable ? await recover(environment, data, presented, current, settings, requestInfo) : undefined;
      if (recovered === undefined) return reuse(environment, data, current);
      if (recovered !== "outrun") return recovered;
    }
    [current] = await data.refresh_tokens.find({ where: { id: token.id }, limit: 1 });
  }
  return { kind: "reused", first: false };
}

/**
 * The leeway is over, and the client comes with the old token again. If nobody ever presented the successor, the answer that held it was lost:
 * the unused one is killed, so that it can never be presented later, and another takes its place. Only once for a token.
 *
 * @returns undefined where the successor was presented; "outrun" where a parallel request recovered first.
 */
async function recover(
  environment: Environment,
  data: TenantData,
  presented: string,
  token: RefreshToken,
  settings: RefreshTokenSettings,
  requestInfo: RequestInfo,
): Promise<Rotation | "outrun" | undefined> {
  const { clock } = environment;
  const unused = { id: token.rotated_to ?? "", presented_at: null };
  const killed = await data.refresh_tokens.update({ ...unused, revoked_at: null }, { set: { revoked_at: clock.now() } });
  // Killed before, by a process that was lost or by a parallel request: this token is not revoked, so its family is not.
  if (killed === 0 && (await data.refresh_tokens.count({ ...unused, revoked_at: { exists: true } })) === 0) return undefined;

  const successor = await mint(environment, presented, token, settings, requestInfo);
  await data.refresh_tokens.insert([successor.record]);
  const set = { ...rotationTo(environment, successor), recovered_at: clock.now() };
  const guard = { id: token.id, rotated_to: token.rotated_to, recovered_at: null, revoked_at: null };
  if ((await data.refresh_tokens.update(guard, { set })) === 1) return { kind: "recovered", text: successor.text };
  await data.refresh_tokens.delete({ id: successor.record.id });
  return "outrun";
}

async function reuse(environment: Environment, data: TenantData, token: RefreshToken): Promise<Rotation> {
  return { kind: "reused", first: await revokeFamily(environment, data, token, "refresh_token_reuse") };
}

function mint(
  environment: Environment,
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
  return mintRefreshToken(environment, grant, settings, requestInfo, { text: presented, expiresAt: token.expires_at });
}

/** What a rotated token's record says. */
function rotationTo({ clock }: Environment, { record }: MintedToken): Pick<RefreshToken, "rotated_at" | "rotated_to"> {
  return { rotated_at: clock.now(), rotated_to: record.id };
}

/** The text of the token that followed; undefined where the key that it was derived with is gone, so that it has to be replaced. */
async function successorText(
  { successors }: Environment,
  data: TenantData,
  presented: string,
  { rotated_to: id }: RefreshToken,
): Promise<string | undefined> {
  const [successor] = id === null ? [] : await data.refresh_tokens.find({ where: { id }, limit: 1 });
  return successor && successors.find(presented, successor.id, successor.token_hash);
}
