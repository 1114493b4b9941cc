import { PosternError } from "../../errors.ts";
import { expiredMfaToken } from "../../identity/factors/mfa-token.ts";
import { toStoredAuthTime } from "../../identity/sessions/methods.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import { isPublic } from "../../model/clients/refresh-token-settings.ts";
import { invalidRefreshToken } from "../../model/sdk-texts.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { mintRefreshToken, recordUse, type StoredRefreshToken } from "../../tokens/refresh-tokens/refresh-token.ts";
import { rotate } from "../../tokens/refresh-tokens/rotate.ts";
import { noClaims } from "../requested-claims.ts";
import type { UserAccess } from "./granted-access.ts";
import { findOne } from "../../store/find-one.ts";

/** The first refresh token of a grant. */
interface FirstRefreshToken {
  /** Later tokens of the grant can have all of these scopes. */
  readonly scope: readonly string[];
  /** The API's stored identifier; null for a token that is valid only for `/userinfo`. */
  readonly audience: string | null;
  /** Present if the client may repeat the request. All responses then have the same refresh token. */
  readonly repeatable?: {
    readonly refreshTokenId: string;
    /** A secret in the request. The text of the refresh token derives from it. */
    readonly secret: string;
  };
}

/** The successor of a refresh token that the client presented. */
interface SuccessorToken {
  readonly presented: string;
  readonly stored: StoredRefreshToken;
}

/** The refresh token that a response contains. */
export type WantedRefreshToken = FirstRefreshToken | SuccessorToken;

/**
 * Issues and stores a refresh token, or uses the presented one.
 * @returns the text of the token; undefined if the presented token remains valid because it does not rotate.
 * @throws {PosternError} `invalid_grant` if the presented token was used before or is revoked.
 */
export async function issueRefreshToken(
  tenant: RequestTenant,
  granted: UserAccess,
  wanted: WantedRefreshToken,
): Promise<string | undefined> {
  return "stored" in wanted ? renewToken(tenant, granted, wanted) : issueFirstToken(tenant, granted, wanted);
}

async function issueFirstToken(
  tenant: RequestTenant,
  granted: UserAccess,
  { scope, audience, repeatable }: FirstRefreshToken,
): Promise<string> {
  const { client } = granted;
  const { text, record } = await mintRefreshToken(
    tenant,
    {
      grant_id: granted.grantId,
      family_id: tenant.random.record("rtf_"),
      session_id: granted.sessionId,
      client_id: client.record.client_id,
      user_id: granted.user.user_id,
      organization_id: granted.organization?.id ?? null,
      audience,
      scope,
      auth_time: toStoredAuthTime(granted.authTime),
      claims: granted.claims ?? noClaims,
      // The refresh token of a confidential client is bound by its authentication: it may change its key.
      jkt: isPublic(client.record.token_endpoint_auth_method) ? (granted.provenKey?.jkt ?? null) : null,
    },
    client.settings.refresh_token,
    tenant.requestInfo,
    repeatable && { text: repeatable.secret, id: repeatable.refreshTokenId },
  );
  if ((await tenant.data.refresh_tokens.insert([record])) || repeatable === undefined) return text;
  const stored = await findOne(tenant.data.refresh_tokens, { id: record.id });
  const known = stored && (await tenant.secrets.successors.find(repeatable.secret, stored.id, stored.token_hash));
  // The key that derived the text was removed, or the token was deleted.
  if (known === undefined) throw expiredMfaToken();
  return known;
}

async function renewToken(
  tenant: RequestTenant,
  { client, user }: UserAccess,
  { presented, stored }: SuccessorToken,
): Promise<string | undefined> {
  const settings = client.settings.refresh_token;
  const about = { ...auditClient(client), ...auditUser({ user_id: user.user_id, name: "" }) };
  if (settings.rotation_type === "rotating" || stored.rotated_at !== null || stored.revoked_at !== null) {
    const rotation = await rotate(tenant, presented, stored, settings, tenant.requestInfo);
    if (rotation.kind !== "rotated") tenant.host.telemetry?.metrics.count("refreshReplays", { "postern.replay": rotation.kind });
    if (rotation.kind === "reused") {
      if (rotation.first)
        await tenant.audit({ type: "ferrt", description: "a refresh token was used again; its family is revoked", ...about });
      throw new PosternError("invalid_grant", invalidRefreshToken, { detail: "the token was used before, or revoked" });
    }
    if (rotation.kind === "recovered") {
      await tenant.audit({ type: "sertft", description: "an unused successor of the refresh token was replaced", ...about });
    }
    return rotation.text;
  }
  if (await recordUse(tenant, stored, settings)) return undefined;
  throw new PosternError("invalid_grant", invalidRefreshToken, { detail: "the token was revoked by another request" });
}
