import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { fact, mergeSettings, readStored, storedOnly } from "../settings.ts";
import { clientIdSchema } from "../clients/client-id.ts";
import { thirdPartyClients } from "../clients/external.ts";

const audience = z.string().min(1).max(600);
const scope = z.array(z.string().min(1).max(280)).max(1000);
const organizationUsage = z.enum(["deny", "allow", "require"]);
const subjectType = z.enum(["client", "user"]);

/** The clients that a grant without a `client_id` is for. */
const defaultFor = fact(z.literal("third_party_clients"));

const settings = {
  authorization_details_types: storedOnly(z.array(z.string().min(1).max(255))),
  allow_all_scopes: z.boolean(),
};

/** The API scopes that a client may request, as the Management API returns them. */
export const clientGrantSchema = z
  .strictObject({
    id: fact(z.string()),
    client_id: fact(z.string()).exactOptional(),
    default_for: defaultFor.exactOptional(),
    audience: fact(z.string()),
    scope,
    subject_type: subjectType,
    organization_usage: organizationUsage.exactOptional(),
    allow_any_organization: z.boolean(),
    authorization_details_types: settings.authorization_details_types.exactOptional(),
    allow_all_scopes: settings.allow_all_scopes.exactOptional(),
  })
  .meta({ id: "ClientGrant" });

/** A client grant that is assigned to an organization. */
export const organizationClientGrantSchema = clientGrantSchema
  .pick({
    id: true,
    audience: true,
    scope: true,
    organization_usage: true,
    allow_any_organization: true,
  })
  .extend({ client_id: fact(z.string()) })
  .meta({ id: "OrganizationClientGrant" });

/** The body of `POST /api/v2/organizations/{id}/client-grants`. */
export const addOrganizationClientGrantSchema = z
  .strictObject({ grant_id: z.string().min(1).max(64) })
  .meta({ id: "AddOrganizationClientGrant" });

const newGrant = {
  audience,
  ...z
    .object({
      scope,
      organization_usage: organizationUsage,
      allow_any_organization: z.boolean(),
      ...settings,
    })
    .exactPartial().shape,
};

/** The body of `POST /api/v2/client-grants`: a grant for one client, or for the users of all external clients. */
export const createClientGrantSchema = z
  .union([
    z.strictObject({ client_id: clientIdSchema, subject_type: subjectType.exactOptional(), ...newGrant }),
    z.strictObject({
      default_for: defaultFor.meta({
        description:
          "Instead of `client_id`: the grant is for every external client, and the only one that such clients have by themselves",
      }),
      subject_type: z.literal("user").exactOptional(),
      ...newGrant,
    }),
  ])
  .meta({ id: "CreateClientGrant" });

/** The body of `PATCH /api/v2/client-grants/{id}`. `null` resets a setting to its default. */
export const updateClientGrantSchema = z
  .strictObject({
    scope: scope.nullable(),
    organization_usage: organizationUsage.nullable(),
    allow_any_organization: z.boolean().nullable(),
    authorization_details_types: settings.authorization_details_types,
    allow_all_scopes: settings.allow_all_scopes.nullable(),
  })
  .exactPartial()
  .meta({ id: "UpdateClientGrant" });

/** The stored settings: the fields that have no column. */
const storedSettingsSchema = z.object(settings).exactPartial();

/** Whether a grant is for the client itself or for users on whose behalf the client acts. */
type SubjectType = z.infer<typeof subjectType>;

/** The stored settings of a grant. Settings that were never set are absent. */
type ClientGrantSettings = z.infer<typeof storedSettingsSchema>;

/** Reads the settings from a row. */
function clientGrantSettings(row: Row<"client_grants">): ClientGrantSettings {
  return readStored(storedSettingsSchema, row.settings);
}

/** Converts a row to the Management API format. */
export function toClientGrant(row: Row<"client_grants">): z.infer<typeof clientGrantSchema> {
  return {
    id: row.id,
    ...(row.client_id === thirdPartyClients ? { default_for: "third_party_clients" as const } : { client_id: row.client_id }),
    audience: row.audience,
    scope: [...row.scope],
    subject_type: subjectType.parse(row.subject_type),
    ...(row.organization_usage !== null && { organization_usage: organizationUsage.parse(row.organization_usage) }),
    allow_any_organization: row.allow_any_organization,
    ...clientGrantSettings(row),
  };
}

/** Converts a row to an entry in an organization's list of client grants. */
export function toOrganizationClientGrant(row: Row<"client_grants">): z.infer<typeof organizationClientGrantSchema> {
  const { id, audience: api, scope: scopes, organization_usage: usage, allow_any_organization } = toClientGrant(row);
  return {
    id,
    client_id: row.client_id,
    audience: api,
    scope: scopes,
    ...(usage !== undefined && { organization_usage: usage }),
    allow_any_organization,
  };
}

/** The fields of a grant that determine the organizations for which the client may request tokens. */
type Reach = Pick<Row<"client_grants">, "organization_usage" | "allow_any_organization">;

/**
 * Returns `true` if a change to a grant allows the client to request tokens that it could not request before: without
 * an organization, for the organizations that the grant is assigned to, or for any organization.
 */
export function widensAccess(before: Reach, after: Reach): boolean {
  const [had, has] = [before, after].map(({ organization_usage: usage, allow_any_organization: any }) => {
    const takesOne = usage === "allow" || usage === "require";
    return [usage !== "require", takesOne, takesOne && any];
  });
  return has?.some((reached, i) => reached && had?.[i] !== true) ?? false;
}

/** The columns of a grant that a caller may change. */
interface ClientGrantChange {
  readonly scope: readonly string[];
  readonly organization_usage: string | null;
  readonly allow_any_organization: boolean;
  readonly settings: JsonObject;
}

/** The caller-provided columns of a new grant. */
interface NewClientGrant extends ClientGrantChange {
  readonly client_id: string;
  readonly audience: string;
  readonly subject_type: SubjectType;
}

/** Returns the columns of a new row that the caller sets. */
export function fromCreateClientGrant(body: z.infer<typeof createClientGrantSchema>): NewClientGrant {
  const isForAll = "default_for" in body;
  const client_id = isForAll ? thirdPartyClients : body.client_id;
  const { audience: api, scope: scopes = [], organization_usage = null, allow_any_organization = false } = body;
  const { subject_type = isForAll ? "user" : "client", authorization_details_types, allow_all_scopes } = body;
  const rest = {
    ...(authorization_details_types !== undefined && { authorization_details_types }),
    ...(allow_all_scopes !== undefined && { allow_all_scopes }),
  };
  return { client_id, audience: api, scope: distinct(scopes), subject_type, organization_usage, allow_any_organization, settings: rest };
}

/** Returns the columns that an update changes. Omitted fields stay unchanged. */
export function fromUpdateClientGrant(row: Row<"client_grants">, body: z.infer<typeof updateClientGrantSchema>): ClientGrantChange {
  const {
    scope: scopes = row.scope,
    organization_usage = row.organization_usage,
    allow_any_organization = row.allow_any_organization,
    ...rest
  } = body;
  return {
    scope: distinct(scopes ?? []),
    organization_usage,
    allow_any_organization: allow_any_organization ?? false,
    settings: mergeSettings(row.settings, rest),
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
