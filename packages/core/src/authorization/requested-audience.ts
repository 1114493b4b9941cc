import { PosternError } from "../errors.ts";
import { storedAudience } from "../tenants/audience.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** The parameters with which a request names an API. */
interface Target {
  /** The identifier of the API (Auth0). */
  readonly audience?: string;
  /** The URL of the protected resource (RFC 8707). */
  readonly resource?: string;
}

/**
 * Returns the API identifier that a request names, as `audience` or as `resource` (RFC 8707). Whether an API has the
 * `audience` is not checked here.
 * @throws {PosternError} `invalid_target` if no API has the `resource`, or if both are sent and differ: a token for
 * either would be for the wrong API.
 */
export async function requestedAudience(tenant: RequestTenant, { audience, resource }: Target): Promise<string | undefined> {
  if (resource === undefined) return audience;
  const identifier = await registeredSpelling(tenant, resource);
  if (audience !== undefined && audience !== identifier) {
    throw new PosternError("invalid_target", "'audience' and 'resource' name different APIs");
  }
  return identifier;
}

/**
 * Returns the identifier under which the API of a `resource` is registered. An origin is the same API with and without a
 * final slash, because clients that build `resource` with the URL standard always add one.
 */
async function registeredSpelling(tenant: RequestTenant, resource: string): Promise<string> {
  for (const spelling of spellings(resource)) {
    if ((await storedAudience(tenant, spelling)) === null || (await tenant.api(spelling)) !== undefined) return spelling;
  }
  throw new PosternError("invalid_target", `no API has the identifier '${resource}'`);
}

function spellings(resource: string): readonly string[] {
  const origin = /^(https?:\/\/[^/?#]+)\/?$/.exec(resource)?.[1];
  if (origin === undefined) return [resource];
  return resource === origin ? [resource, `${origin}/`] : [resource, origin];
}
