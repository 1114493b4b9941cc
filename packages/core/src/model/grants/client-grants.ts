import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { fact, mergeSettings, readStored, storedOnly } from "../settings.ts";

const audience = z.string().min(1).max(600);
const scope = z.array(z.string().min(1).max(280)).max(1000);
const organizationUsage = z.enum(["deny", "allow", "require"]);
const subjectType = z.enum(["client", "user"]);

const settings = {
  authorization_details_types: storedOnly(z.array(z.string().min(1).max(255))),
  allow_all_scopes: z.boolean(),
};

/** What a client may ask of an API, as the Management API shows it. */
export const ClientGrant = z
  .strictObject({
    id: fact(z.string()),
    client_id: fact(z.string()),
    audience: fact(z.string()),
    scope,
    subject_type: subjectType,
    organization_usage: organizationUsage.exactOptional(),
    allow_any_organization: z.boolean(),
    authorization_details_types: settings.authorization_details_types.exactOptional(),
    allow_all_scopes: settings.allow_all_scopes.exactOptional(),
  })
  .meta({ id: "ClientGrant" });

/** A client grant that was given to an organization. */
export const OrganizationClientGrant = ClientGrant.pick({
  id: true,
  client_id: true,
  audience: true,
  scope: true,
  organization_usage: true,
  allow_any_organization: true,
}).meta({ id: "OrganizationClientGrant" });

/** The body of `POST /api/v2/organizations/{id}/client-grants`. */
export const AddOrganizationClientGrant = z
  .strictObject({ grant_id: z.string().min(1).max(64) })
  .meta({ id: "AddOrganizationClientGrant" });

/** The body of `POST /api/v2/client-grants`. */
export const CreateClientGrant = z
  .strictObject({
    client_id: z.string().min(1).max(64),
    audience,
    scope: scope.exactOptional(),
    subject_type: subjectType.exactOptional(),
    organization_usage: organizationUsage.exactOptional(),
    allow_any_organization: z.boolean().exactOptional(),
    // A grant for every third-party client at once. Stored only, it would promise access that no client gets.
    default_for: z.never({ error: "is not supported: make one grant per client" }).exactOptional(),
    ...z.object(settings).exactPartial().shape,
  })
  .meta({ id: "CreateClientGrant" });

/** The body of `PATCH /api/v2/client-grants/{id}`. `null` takes a setting back to what holds where nothing was said. */
export const UpdateClientGrant = z
  .strictObject({
    scope: scope.nullable(),
    organization_usage: organizationUsage.nullable(),
    allow_any_organization: z.boolean().nullable(),
    authorization_details_types: settings.authorization_details_types,
    allow_all_scopes: settings.allow_all_scopes.nullable(),
  })
  .exactPartial()
  .meta({ id: "UpdateClientGrant" });

/** What is stored besides the fields that have a column. */
const StoredSettings = z.object(settings).exactPartial();

export type ClientGrant = z.infer<typeof ClientGrant>;
export type OrganizationClientGrant = z.infer<typeof OrganizationClientGrant>;
export type CreateClientGrant = z.infer<typeof CreateClientGrant>;
export type UpdateClientGrant = z.infer<typeof UpdateClientGrant>;

/** Whether a grant is for the client itself or for users that it acts for. */
export type SubjectType = z.infer<typeof subjectType>;

/** The settings of a grant that have no column, as far as somebody gave them. */
export type ClientGrantSettings = z.infer<typeof StoredSettings>;

/** Reads the settings of a record. */
export function clientGrantSettings(row: Row<"client_grants">): ClientGrantSettings {
  return readStored(StoredSettings, row.settings);
}

/** A record as the Management API shows it. */
export function toClientGrant(row: Row<"client_grants">): ClientGrant {
  return {
    id: row.id,
    client_id: row.client_id,
    audience: row.audience,
    scope: [...row.scope],
    subject_type: subjectType.parse(row.subject_type),
    ...(row.organization_usage !== null && { organization_usage: organizationUsage.parse(row.organization_usage) }),
    allow_any_organization: row.allow_any_organization,
    ...clientGrantSettings(row),
  };
}

/** A record as the lists of an organization show it. */
export function toOrganizationClientGrant(row: Row<"client_grants">): OrganizationClientGrant {
  const { id, client_id, audience: api, scope: scopes, organization_usage: usage, allow_any_organization } = toClientGrant(row);
  return { id, client_id, audience: api, scope: scopes, ...(usage !== undefined && { organization_usage: usage }), allow_any_organization };
}

/** What of a grant says where the client may go with it. */
type Reach = Pick<Row<"client_grants">, "organization_usage" | "allow_any_organization">;

/** Whether a change of a grant lets the client ask for tokens that it could not have before: of no organization, of those that it was given to, or of any. */
export function reachesFurther(before: Reach, after: Reach): boolean {
  const [had, has] = [before, after].map(({ organization_usage: usage, allow_any_organization: any }) => {
    const takesOne = usage === "allow" || usage === "require";
    return [usage !== "require", takesOne, takesOne && any];
  });
  return has?.some((reached, i) => reached && had?.[i] !== true) ?? false;
}

/** The columns of a grant that a caller may change. */
export interface ClientGrantChange {
  readonly scope: readonly string[];
  readonly organization_usage: string | null;
  readonly allow_any_organization: boolean;
  readonly settings: JsonObject;
}

/** The columns of a new grant that come from the caller. */
export interface NewClientGrant extends ClientGrantChange {
  readonly client_id: string;
  readonly audience: string;
  readonly subject_type: SubjectType;
}

/** The fields of a new record that come from the caller. */
export function fromCreateClientGrant(body: CreateClientGrant): NewClientGrant {
  const {
    client_id,
    audience: api,
    scope: scopes = [],
    subject_type = "client",
    organization_usage = null,
    allow_any_organization = false,
    ...rest
  } = body;
  return { client_id, audience: api, scope: distinct(scopes), subject_type, organization_usage, allow_any_organization, settings: rest };
}

/** The fields of a record that a change touches; what was not sent stays as it is. */
export function fromUpdateClientGrant(row: Row<"client_grants">, body: UpdateClientGrant): ClientGrantChange {
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
