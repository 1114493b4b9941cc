import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { mergeSettings, readStored } from "../settings.ts";
import type { clientSchema } from "./bodies.ts";
import { storedClientSettingsSchema } from "./all-settings.ts";

/**
 * The ID of Auth0's "All Applications" client. It is not a real client: it has no row, and users cannot sign in to it.
 * A seeded client must not use this ID.
 */
export const globalClientId = "global";

const loginPageSchema = storedClientSettingsSchema.pick({
  custom_login_page: true,
  custom_login_page_on: true,
  custom_login_page_preview: true,
});

/** The body of `PATCH /api/v2/clients/global`. */
export const updateGlobalClientSchema = z.strictObject(loginPageSchema.shape).meta({ id: "UpdateGlobalClient" });

const storedSchema = z.object({ global_client: loginPageSchema.default({}) });

/** Builds the global client from the row of the tenant, in the Management API format. */
export function toGlobalClient(row: Row<"tenants">): z.infer<typeof clientSchema> {
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
    ...readStored(storedSchema, row.settings).global_client,
  };
}

/** Returns the columns of the tenant that an update of the global client changes. */
export function fromUpdateGlobalClient(
  { settings }: Row<"tenants">,
  sent: z.infer<typeof updateGlobalClientSchema>,
): Pick<Row<"tenants">, "settings"> {
  return { settings: mergeSettings(settings, { global_client: { ...readStored(storedSchema, settings).global_client, ...sent } }) };
}
