import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { nameText } from "../fields.ts";
import { invalidBody, mergeMetadata, readStored } from "../settings.ts";
import { sharedMetadataSchema, sharedMetadataChangeSchema } from "./shared.ts";

const name = nameText(255);
const description = z.string().max(1000);

/** A role as the Management API returns it. */
export const roleSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    is_system: z
      .literal(true)
      .exactOptional()
      .meta({ description: "The role belongs to the control plane or to the host application and cannot be changed in this tenant" }),
    metadata: sharedMetadataSchema.exactOptional(),
  })
  .meta({ id: "Role" });

const fields = z.strictObject({ name, description, metadata: sharedMetadataChangeSchema }).exactPartial();

/** The body of `PATCH /api/v2/roles/{id}`. Omitted fields stay unchanged; in the metadata, `null` removes a key. */
export const updateRoleSchema = fields
  .extend({
    is_system: z
      .boolean()
      .exactOptional()
      .meta({ description: "Must equal the stored value. It is accepted so that a client can send back a role that it read" }),
  })
  .meta({ id: "UpdateRole" });

/** The body of `POST /api/v2/roles`. */
export const createRoleSchema = fields.extend({ name }).meta({ id: "CreateRole" });

/** A permission that a role grants, or that a user has. */
export const permissionSchema = z
  .strictObject({
    resource_server_identifier: z.string(),
    permission_name: z.string(),
    resource_server_name: z.string(),
    description: z.string(),
  })
  .meta({ id: "Permission" });

/** The sources of a user's permission: roles or a direct assignment. */
export const userPermissionSchema = permissionSchema
  .extend({
    sources: z.array(z.strictObject({ source_id: z.string(), source_name: z.string(), source_type: z.enum(["DIRECT", "ROLE"]) })),
  })
  .meta({ id: "UserPermission" });

/** The body of a request that adds or removes permissions. */
export const permissionListSchema = z
  .strictObject({
    permissions: z
      .array(z.strictObject({ resource_server_identifier: z.string().min(1).max(600), permission_name: z.string().min(1).max(280) }))
      .min(1)
      .max(1000),
  })
  .meta({ id: "PermissionList" });

/** The body of a request that adds or removes roles. */
export const roleListSchema = z.strictObject({ roles: z.array(z.string().min(1).max(64)).min(1).max(50) }).meta({ id: "RoleList" });

/** The body of a request that assigns a role to users. */
export const userListSchema = z.strictObject({ users: z.array(z.string().min(1).max(255)).min(1).max(1000) }).meta({ id: "UserList" });

/** A user who has a role. */
export const roleUserSchema = z
  .strictObject({
    user_id: z.string(),
    name: z.string().exactOptional(),
    email: z.string().exactOptional(),
    picture: z.string().exactOptional(),
  })
  .meta({ id: "RoleUser" });
type RoleFields = z.infer<typeof fields>;

/** Converts a row to the Management API format. */
export function toRole({
  id,
  name: shown,
  description: text,
  metadata,
  is_system: isHosts,
  origin,
}: Row<"roles">): z.infer<typeof roleSchema> {
  return {
    id,
    name: shown,
    description: text,
    ...((isHosts || origin !== null) && { is_system: true as const }),
    ...(Object.keys(metadata).length > 0 && { metadata: readStored(sharedMetadataSchema, metadata) }),
  };
}

/**
 * Requires that `is_system` equals the stored value if the body contains it.
 * @throws {PosternError} `invalid_request`.
 */
export function checkSystemFlag(before: Row<"roles">, { is_system: sent }: z.infer<typeof updateRoleSchema>): void {
  const stored = toRole(before).is_system ?? false;
  if (sent !== undefined && sent !== stored) throw invalidBody(`'is_system' is ${stored} for this role and cannot be changed`);
}

/** Returns the columns of a role after it is created or updated. */
export function toRoleFields(
  before: Pick<Row<"roles">, "name" | "description" | "metadata">,
  { name: called = before.name, description: text = before.description, metadata }: RoleFields,
): Pick<Row<"roles">, "name" | "name_folded" | "description" | "metadata"> {
  const kept: JsonObject = metadata === undefined ? before.metadata : mergeMetadata("metadata", before.metadata, metadata);
  return { name: called, name_folded: called.toLowerCase(), description: text, metadata: kept };
}

/** Converts a user row to an entry in the list of users who have a role. */
export function toRoleUser(user: Row<"users">): z.infer<typeof roleUserSchema> {
  return {
    user_id: user.user_id,
    ...(user.name !== "" && { name: user.name }),
    ...(user.email !== "" && { email: user.email }),
    ...(user.picture !== null && { picture: user.picture }),
  };
}
