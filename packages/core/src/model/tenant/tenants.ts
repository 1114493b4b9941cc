import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { nameText, timestampSchema, toTimestamp } from "../fields.ts";
import { tenantIdPattern } from "./tenant-id.ts";
import { tenantSettingsReplySchema, toTenantSettings, updateTenantSettingsSchema } from "./settings-bodies.ts";

const tenantIdSchema = z
  .string()
  .regex(
    tenantIdPattern,
    "must be 1 to 63 lower-case letters, digits, - and _, begin with a letter or digit, and must not be a reserved word",
  );

const name = nameText(255);

/** A tenant as `/tenants` returns it, with its settings. */
export const tenantSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    ...tenantSettingsReplySchema.shape,
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: "Tenant" });

/** The body of `POST /tenants`. It contains the tenant's settings in the format of `PATCH /api/v2/tenants/settings`. */
export const createTenantSchema = z
  .strictObject({ id: tenantIdSchema, name, ...updateTenantSettingsSchema.shape })
  .meta({ id: "CreateTenant" });

/** The body of `PATCH /tenants/{id}`. */
export const updateTenantSchema = z
  .strictObject({ name: name.exactOptional(), ...updateTenantSettingsSchema.shape })
  .meta({ id: "UpdateTenant" });

/** Converts a row to the format of `/tenants`. */
export function toTenant(row: Row<"tenants">): z.infer<typeof tenantSchema> {
  const { id, name: named, created_at: created, updated_at: updated } = row;
  return { id, name: named, ...toTenantSettings(row), created_at: toTimestamp(created), updated_at: toTimestamp(updated) };
}

/** A step of an operation (docs/design/tenants-and-inheritance.md). */
export const operationStepSchema = z
  .strictObject({
    name: z.string(),
    status: z.enum(["running", "succeeded", "failed"]),
    at: timestampSchema,
    detail: z.record(z.string(), z.unknown()).exactOptional(),
  })
  .meta({ id: "OperationStep" });

/** An operation on a tenant. */
export const tenantOperationSchema = z
  .strictObject({
    id: z.string(),
    tenant_id: z.string(),
    kind: z.string(),
    status: z.string(),
    error: z.string().exactOptional(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    finished_at: timestampSchema.exactOptional(),
  })
  .meta({ id: "TenantOperation" });

/** Converts a row to the format of the operation routes. */
export function toTenantOperation(row: Row<"tenant_operations">): z.infer<typeof tenantOperationSchema> {
  const { id, tenant_id, kind, status, error, created_at: created, updated_at: updated, finished_at: finished } = row;
  return {
    id,
    tenant_id,
    kind,
    status,
    ...(error !== null && { error }),
    created_at: toTimestamp(created),
    updated_at: toTimestamp(updated),
    ...(finished !== null && { finished_at: toTimestamp(finished) }),
  };
}
