import { auditClient, auditUser } from "../../logs/audit.ts";
import type { AuditEvent } from "../../model/logs/audit-event.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { ClientAccess, UserAccess } from "./granted-access.ts";
import type { KeyBinding } from "../../tokens/proofs/dpop-proof.ts";
import { keyOfAccessToken } from "./bind-token.ts";
import { issueCode, type CodeBinding } from "./issue-code.ts";
import { issueRefreshToken, type WantedRefreshToken } from "./issue-refresh-token.ts";
import { signAccessToken, type IssuedAccessToken } from "./sign-access-token.ts";
import { signIdToken } from "./sign-id-token.ts";

/** The tokens that a response contains, the write that decides whether they are issued, and the audit event. */
interface WantedTokens {
  readonly code?: CodeBinding | undefined;
  readonly access?: boolean;
  readonly idToken?: boolean;
  readonly refreshToken?: WantedRefreshToken | undefined;
  /**
   * Present if the tokens pass through the browser, at `/authorize`. The access token then has the lifetime for browsers,
   * and the ID token contains the hashes of what is issued with it.
   */
  readonly throughBrowser?: true;
  /**
   * The guarded write that uses up what the client exchanges. It runs after the refresh token is stored, so that a replay
   * finds that token, and before any other token is issued.
   */
  readonly redeem?: () => Promise<void>;
  /** The audit event. The client, the user and the scopes are added. */
  readonly event?: Pick<AuditEvent, "type" | "audience" | "description" | "details"> | undefined;
}

/** The tokens that were issued. Endpoints only render them. */
export interface IssuedTokens {
  readonly code?: string | undefined;
  readonly access?: IssuedAccessToken | undefined;
  readonly idToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly scope: readonly string[];
}

/** Issued tokens that contain an access token. */
export type IssuedWithAccess = IssuedTokens & { readonly access: IssuedAccessToken };

/**
 * Issues every code and every token of a tenant, and writes the audit event. What the client may have is decided before: the
 * result has the scopes of `granted`.
 * @throws {PosternError} `invalid_grant` if a presented refresh token was used before; the errors of `redeem`;
 * `invalid_request` if a token would be too long, or must be bound to a key and the client proved none.
 */
export async function issueTokens(
  tenant: RequestTenant,
  granted: ClientAccess,
  wanted: Pick<WantedTokens, "event"> & { readonly access: true },
): Promise<IssuedWithAccess>;
export async function issueTokens(
  tenant: RequestTenant,
  granted: UserAccess,
  wanted: WantedTokens & { readonly access: true },
): Promise<IssuedWithAccess>;
export async function issueTokens(tenant: RequestTenant, granted: UserAccess, wanted: WantedTokens): Promise<IssuedTokens>;
export async function issueTokens(tenant: RequestTenant, granted: ClientAccess | UserAccess, wanted: WantedTokens): Promise<IssuedTokens> {
  const { client, scope, user } = granted;
  const { throughBrowser = false, event } = wanted;
  // Before the first write: a client that is refused can repeat the request with a proof.
  const key = wanted.access === true ? keyOfAccessToken(granted) : undefined;
  const issued =
    granted.user === undefined
      ? { access: await signAccessToken(tenant, granted, { throughBrowser: false, key }) }
      : await issueToUser(tenant, granted, wanted, key);
  // The event of a silent authentication has no scope.
  const scopes = throughBrowser ? {} : { scope: scope.join(" ") };
  if (event !== undefined) await tenant.audit({ ...event, ...auditClient(client), ...(user && auditUser(user)), ...scopes });
  return { ...issued, scope };
}

async function issueToUser(
  tenant: RequestTenant,
  granted: UserAccess,
  wanted: WantedTokens,
  key: KeyBinding | undefined,
): Promise<Omit<IssuedTokens, "scope">> {
  const { throughBrowser = false } = wanted;
  const refreshToken = wanted.refreshToken && (await issueRefreshToken(tenant, granted, wanted.refreshToken));
  await wanted.redeem?.();
  const first = Promise.all([
    wanted.access === true ? signAccessToken(tenant, granted, { throughBrowser, key }) : undefined,
    wanted.code && issueCode(tenant, granted, wanted.code),
  ]);
  const hashed = throughBrowser ? await first : [];
  const isOnlyToken = wanted.access !== true && wanted.code === undefined;
  const [[access, code], idToken] = await Promise.all([
    first,
    wanted.idToken === true ? signIdToken(tenant, granted, { accessToken: hashed[0]?.token, code: hashed[1], isOnlyToken }) : undefined,
  ]);
  return { code, access, idToken, refreshToken };
}
