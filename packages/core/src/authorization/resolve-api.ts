import { PosternError } from "../errors.ts";
import { storedAudience } from "../tenants/audience.ts";
import type { CachedApi } from "../tenants/settings-cache.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * Returns the API that a request names, or the tenant's default API; undefined if the token is for `/userinfo` only.
 * @throws {PosternError} `access_denied`, Auth0's code, if no API has the identifier.
 */
export async function resolveApi(tenant: RequestTenant, audience: string | undefined): Promise<CachedApi | undefined> {
  const identifier = audience ?? tenant.settings.default_audience;
  if (identifier === "" || (await storedAudience(tenant, identifier)) === null) return undefined;
  const api = await tenant.api(identifier);
  if (api === undefined) throw new PosternError("access_denied", `no API has the identifier '${identifier}'`);
  return api;
}

/** Resolves the API of an authorization request. Every call during one HTTP request returns the same result. */
export type ApiOfRequest = () => Promise<CachedApi | undefined>;

/** Returns an {@link ApiOfRequest} that calls {@link resolveApi} once, on first use. */
export function apiOfRequest(...request: Parameters<typeof resolveApi>): ApiOfRequest {
  let resolved: Promise<CachedApi | undefined> | undefined;
  return () => (resolved ??= resolveApi(...request));
}
