import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { nameText, timestampSchema, toTimestamp } from "../fields.ts";
import { organizationBrandingSchema, organizationBranding, organizationColorsSchema } from "./branding.ts";
import { webUrlOrEmptySchema } from "../clients/registered-urls.ts";
import { fact, invalidBody, mergeSettings, readStored, storedOnly } from "../settings.ts";
import { tokenQuotaSchema } from "../token-quota.ts";
import { organizationSettingsSchema } from "./stored-settings.ts";

/**
 * The name appears in URLs and in the `org_name` claim, so only one spelling is valid. It must not look like an
 * organization ID.
 */
const name = z
  .string()
  .max(50)
  .regex(/^(?!org_)[a-z0-9][a-z0-9_-]*$/, "must be lower-case letters, digits, - and _, begin with a letter or digit, but not with org_");

const displayName = nameText(255);
const branding = z
  .strictObject({
    logo_url: webUrlOrEmptySchema.nullable(),
    logo_url_dark: webUrlOrEmptySchema.nullable(),
    colors: organizationColorsSchema.nullable(),
  })
  .exactPartial();
const metadata = z.record(z.string().min(1).max(255), z.string().max(255).nullable());
const maximumMetadataKeys = 25;

const connection = {
  connection_id: z.string().min(1).max(64),
  assign_membership_on_login: z.boolean(),
  show_as_button: z.boolean(),
  is_signup_enabled: storedOnly(z.boolean()),
};

const { connection_id: connectionId, ...connectionFlags } = connection;

/** A connection that members of an organization may sign in with. */
export const organizationConnectionSchema = z
  .strictObject({
    ...connection,
    connection_id: fact(connectionId),
    connection: fact(z.strictObject({ name: z.string(), strategy: z.string() })),
  })
  .meta({ id: "OrganizationConnection" });

/** Fields that Auth0's newer routes accept and that have no effect in Postern. */
const unsupported = {
  organization_connection_name: z.null({ error: "must be null: connections have no names that are specific to an organization" }),
  organization_access_level: z.null({ error: "must be null: members do not manage the connections of their organization" }),
  is_enabled: z.literal(true, { error: "must be true: to disable the connection, remove it from the organization" }).nullable(),
};

/** The body of `POST /api/v2/organizations/{id}/enabled_connections` and of Auth0's newer route. */
export const addOrganizationConnectionSchema = z
  .strictObject({ connection_id: connectionId, ...z.object({ ...connectionFlags, ...unsupported }).exactPartial().shape })
  .meta({ id: "AddOrganizationConnection" });

/** The body of `PATCH /api/v2/organizations/{id}/enabled_connections/{connection_id}` and of Auth0's newer route. */
export const updateOrganizationConnectionSchema = z
  .strictObject({ ...connectionFlags, ...unsupported })
  .exactPartial()
  .meta({ id: "UpdateOrganizationConnection" });

/** An organization as the Management API returns it. */
export const organizationSchema = z
  .strictObject({
    id: fact(z.string()),
    name: fact(z.string()),
    display_name: z.string().exactOptional(),
    branding: organizationBrandingSchema.exactOptional(),
    metadata: storedOnly(z.record(z.string(), z.string())).exactOptional(),
    token_quota: tokenQuotaSchema.exactOptional(),
    enabled_connections: z.array(organizationConnectionSchema),
    created_at: fact(timestampSchema),
    updated_at: fact(timestampSchema),
  })
  .meta({ id: "Organization" });

/**
 * An organization in the list of organizations that a client may act for. It has the fields that Auth0 returns in this
 * list.
 */
export const organizationSummarySchema = organizationSchema.omit({ enabled_connections: true, created_at: true, updated_at: true }).meta({
  id: "OrganizationSummary",
});

/** The body of `POST /api/v2/organizations`. */
export const createOrganizationSchema = z
  .strictObject({
    name,
    display_name: displayName.exactOptional(),
    branding: branding.exactOptional(),
    metadata: metadata.exactOptional(),
    token_quota: tokenQuotaSchema.exactOptional(),
    enabled_connections: z.array(addOrganizationConnectionSchema).max(50).exactOptional(),
  })
  .meta({ id: "CreateOrganization" });

/**
 * The body of `PATCH /api/v2/organizations/{id}`. Branding and metadata are merged at their first level, where `null`
 * removes a member.
 */
export const updateOrganizationSchema = z
  .strictObject({ name, display_name: displayName, branding, metadata, token_quota: tokenQuotaSchema.nullable() })
  .exactPartial()
  .meta({ id: "UpdateOrganization" });

/** The caller-provided columns of an organization. */
type OrganizationFields = Pick<Row<"organizations">, "name" | "display_name" | "branding" | "metadata" | "settings">;

const storedMetadataSchema = z.record(z.string(), z.string());

/** Returns the columns of a new row. */
export function fromCreateOrganization(body: z.infer<typeof createOrganizationSchema>): OrganizationFields {
  const nothing = { name: body.name, display_name: "", branding: {}, metadata: {}, settings: {} };
  return fromUpdateOrganization(nothing, body);
}

/**
 * Returns the columns after an update. Omitted fields stay unchanged.
 * @throws {PosternError} `invalid_request` if the merged metadata has too many keys.
 */
export function fromUpdateOrganization(
  row: OrganizationFields,
  body: z.infer<typeof updateOrganizationSchema> | z.infer<typeof createOrganizationSchema>,
): OrganizationFields {
  const { name: changedName = row.name, display_name: shown = row.display_name, token_quota: tokenQuota } = body;
  const merged = mergeSettings(row.metadata, body.metadata ?? {});
  if (Object.keys(merged).length > maximumMetadataKeys) throw invalidBody(`'metadata' must have at most ${maximumMetadataKeys} keys`);
  return {
    name: changedName,
    display_name: shown,
    branding: mergeSettings(row.branding, body.branding ?? {}),
    metadata: merged,
    settings: tokenQuota === undefined ? row.settings : mergeSettings(row.settings, { token_quota: tokenQuota }),
  };
}

/** Converts a row to the Management API format. Empty fields are omitted, as in Auth0. */
export function toOrganization(
  row: Row<"organizations">,
  connections: readonly z.infer<typeof organizationConnectionSchema>[],
): z.infer<typeof organizationSchema> {
  return {
    ...toOrganizationSummary(row),
    enabled_connections: [...connections],
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  };
}

/** Converts a row to an entry in a list of organizations. */
export function toOrganizationSummary(row: Row<"organizations">): z.infer<typeof organizationSummarySchema> {
  return {
    id: row.id,
    name: row.name,
    ...(row.display_name !== "" && { display_name: row.display_name }),
    ...(holdsSomething(row.branding) && { branding: organizationBranding(row) }),
    ...(holdsSomething(row.metadata) && { metadata: readStored(storedMetadataSchema, row.metadata) }),
    ...readStored(organizationSettingsSchema, row.settings),
  };
}

function holdsSomething(object: JsonObject): boolean {
  return Object.keys(object).length > 0;
}

/** The columns of an organization's connection that a caller may change. */
type ConnectionFlags = Pick<Row<"organization_connections">, keyof typeof connectionFlags>;

/** Returns the columns of a new row. */
export function fromConnectionFlags(body: z.output<typeof updateOrganizationConnectionSchema>): ConnectionFlags {
  return { assign_membership_on_login: false, show_as_button: true, is_signup_enabled: false, ...changedConnectionFlags(body) };
}

/** Returns the columns that an update changes. */
export function changedConnectionFlags(body: z.output<typeof updateOrganizationConnectionSchema>): Partial<ConnectionFlags> {
  const { organization_connection_name: _, organization_access_level: __, is_enabled: ___, ...flags } = body;
  return flags;
}

/** Converts a row to an organization's connection, with the name and the strategy of the connection. */
export function toOrganizationConnection(
  row: Row<"organization_connections">,
  { name: called, strategy }: Row<"connections">,
): z.infer<typeof organizationConnectionSchema> {
  const { connection_id, assign_membership_on_login, show_as_button, is_signup_enabled } = row;
  return { connection_id, assign_membership_on_login, show_as_button, is_signup_enabled, connection: { name: called, strategy } };
}
