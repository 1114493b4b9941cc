import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { readStored, storedReader } from "../settings.ts";

const flag = z.boolean();

/** The feature flags of a tenant that have an effect. */
export const supportedFlagsSchema = z
  .object({
    /** Whether every client must push its authorization requests (RFC 9126). */
    require_pushed_authorization_requests: flag,
    /**
     * Whether a new client starts with all connections of the tenant, including connections that are added later, or
     * without connections. Default: true.
     */
    enable_client_connections: flag,
    /**
     * Whether a confidential client must authenticate to start a passwordless login. Browsers have no client
     * credentials, so the client's server must then send the request.
     */
    enforce_client_authentication_on_passwordless_start: flag,
    /** Whether anyone may register clients (RFC 7591). Initial access tokens allow their holders to, in either case. */
    enable_dynamic_client_registration: flag,
  })
  .exactPartial();

const storedSchema = z.object({ flags: supportedFlagsSchema }).exactPartial();

const readFlags = storedReader((stored) => readStored(storedSchema, stored).flags ?? {});

/** Reads the feature flags with an effect from the row of a tenant. Flags that were never set are omitted. */
export function tenantFlags({ settings }: Pick<Row<"tenants">, "settings">): z.infer<typeof supportedFlagsSchema> {
  return readFlags(settings);
}
