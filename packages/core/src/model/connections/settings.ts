import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { readStored, storedOnly, storedOnlyFields } from "../settings.ts";
import { upstreamStrategy } from "./upstream.ts";

const active = z.strictObject({ active: z.boolean() });

/**
 * The settings of a connection that do not depend on its strategy. Of these, `show_as_button` and
 * `is_domain_connection` have an effect: external clients offer the connections with `is_domain_connection`. All other
 * logins use the clients and organizations for which a connection is enabled.
 */
export const settings = {
  show_as_button: z.boolean(),
  is_domain_connection: z.boolean(),
  ...storedOnlyFields({
    realms: z.array(z.string().min(1).max(128)),
    authentication: active,
    connected_accounts: z.strictObject({ active: z.boolean(), cross_app_access: z.boolean().exactOptional() }),
    cross_app_access_requesting_app: active,
  }),
};

export const connectionMetadataKey = z.string().min(1).max(255);
export const storedMetadata = storedOnly(z.record(connectionMetadataKey, z.string().max(255)));

/** The stored settings: the fields that have no column. */
export const storedConnectionSettingsSchema = z.object({ ...settings, metadata: storedMetadata }).exactPartial();

/** The settings of a connection that do not depend on its strategy, including defaults. */
type ConnectionSettings = z.infer<typeof storedConnectionSettingsSchema> & { realms: string[]; is_domain_connection: boolean };

/** Reads the settings from a row. */
export function connectionSettings(row: Row<"connections">): ConnectionSettings {
  return { realms: [row.name], is_domain_connection: false, ...readStored(storedConnectionSettingsSchema, row.settings) };
}

/**
 * Returns `true` if the login pages have a button for a provider.
 * @param wanted the connection's `show_as_button`. By default, only social connections have a button.
 */
export function hasButton(connection: Pick<Row<"connections">, "strategy">, wanted: boolean | undefined): boolean {
  return wanted ?? upstreamStrategy(connection)?.kind === "social";
}
