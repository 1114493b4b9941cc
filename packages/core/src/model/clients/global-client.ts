import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { mergeSettings, readStored } from "../settings.ts";
import type { Client } from "./bodies.ts";
import { StoredClientSettings } from "./all-settings.ts";

/**
 * The id of Auth0's "All Applications" client. It is not a real client: it has no record, users cannot sign in with it,
 * and no seeded client may use the id.
 */
export const globalClientId = "global";

const LoginPage = StoredClientSettings.pick({ custom_login_page: true, custom_login_page_on: true, custom_login_page_preview: true });

/** The body of `PATCH /api/v2/clients/global`. */
export const UpdateGlobalClient = z.strictObject(LoginPage.shape).meta({ id: "UpdateGlobalClient" });

export type UpdateGlobalClient = z.infer<typeof UpdateGlobalClient>;

const Stored = z.object({ global_client: LoginPage.default({}) });

/** The global client as the Management API shows it, built from the tenant's record. */
export function toGlobalClient(row: Row<"tenants">): Client {
  return {
    client_id: globalClientId,
    tenant: row.id,
    global: true,
    name: "All Applications",
    is_first_party: true,
    grant_types: [],
    callbacks: [],
    allowed_logout_urls: [],
    web_origins: [],
    allowed_origins: [],
    ...readStored(Stored, row.settings).global_client,
  };
}

/** The columns of the tenant that an update of the global client changes. */
export function fromUpdateGlobalClient({ settings }: Row<"tenants">, sent: UpdateGlobalClient): Pick<Row<"tenants">, "settings"> {
  return { settings: mergeSettings(settings, { global_client: { ...readStored(Stored, settings).global_client, ...sent } }) };
}
