import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { Timestamp, toTimestamp } from "../fields.ts";
import { isTenantId } from "./tenant-id.ts";
import { TenantSettingsReply, toTenantSettings, UpdateTenantSettings } from "./settings-bodies.ts";

const TenantId = z
  .string()
  .refine(isTenantId, "must be 1 to 63 lower-case letters, digits, - and _, begin with a letter or digit, and must not be a reserved word");

const name = z.string().trim().min(1).max(255);

/** A tenant as `/tenants` returns it (spec section 2.7), with its settings. */
export const Tenant = z
  .strictObject({ id: z.string(), name: z.string(), ...TenantSettingsReply.shape, created_at: Timestamp, updated_at: Timestamp })
  .meta({ id: "Tenant" });

/** The body of `POST /tenants`. It contains the tenant's settings in the format of `PATCH /api/v2/tenants/settings`. */
export const CreateTenant = z.strictObject({ id: TenantId, name, ...UpdateTenantSettings.shape }).meta({ id: "CreateTenant" });

/** The body of `PATCH /tenants/{id}`. */
export const UpdateTenant = z.strictObject({ name: name.exactOptional(), ...UpdateTenantSettings.shape }).meta({ id: "UpdateTenant" });

export type Tenant = z.infer<typeof Tenant>;
export type CreateTenant = z.infer<typeof CreateTenant>;
export type UpdateTenant = z.infer<typeof UpdateTenant>;

/** Converts a row to the format of `/tenants`. */
export function toTenant(row: Row<"tenants">): Tenant {
  const { id, name: named, created_at: created, updated_at: updated } = row;
  return { id, name: named, ...toTenantSettings(row), created_at: toTimestamp(created), updated_at: toTimestamp(updated) };
}

/** A step of an operation (spec section 2.8). */
export const OperationStep = z
  .strictObject({
    name: z.string(),
    status: z.enum(["running", "succeeded", "failed"]),
    at: Timestamp,
    detail: z.record(z.string(), z.unknown()).exactOptional(),
  })
  .meta({ id: "OperationStep" });

/** An operation on a tenant. */
export const TenantOperation = z
  .strictObject({
    id: z.string(),
    tenant_id: z.string(),
    kind: z.string(),
    status: z.string(),
    error: z.string().exactOptional(),
    created_at: Timestamp,
    updated_at: Timestamp,
    finished_at: Timestamp.exactOptional(),
  })
  .meta({ id: "TenantOperation" });

export type TenantOperation = z.infer<typeof TenantOperation>;

/** Converts a row to the format of the operation routes. */
export function toTenantOperation(row: Row<"tenant_operations">): TenantOperation {
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
