import { tenantFlags } from "../../model/tenant/flags.ts";
import type { Installation } from "../installation.ts";
import type { RequestTenant } from "../tenant.ts";

/**
 * Whether clients can be registered (RFC 7591): `off` rejects every registration, `by-token` requires an initial access
 * token, and `open` accepts registrations with and without one.
 */
export type RegistrationMode = "off" | "by-token" | "open";

/**
 * Returns the registration mode of a tenant. Reads only cached settings. The end of the last initial access token takes
 * effect after up to five seconds.
 */
export async function registrationMode(
  { cache }: Pick<Installation, "cache">,
  tenant: Pick<RequestTenant, "id" | "record" | "data" | "now">,
): Promise<RegistrationMode> {
  if (tenantFlags(tenant.record).enable_dynamic_client_registration) return "open";
  const live = await cache.get(tenant.id, "initial_access_tokens", ["live"], async () => {
    const where = { expires_at: { gt: tenant.now() }, uses_left: { gt: 0 } };
    return { found: (await tenant.data.initial_access_tokens.find({ where, fields: ["id"], limit: 1 })).length > 0 };
  });
  return live?.found === true ? "by-token" : "off";
}
