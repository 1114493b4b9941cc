import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { PosternError } from "../../errors.ts";
import { isTenantId } from "../../model/tenant/tenant-id.ts";
import { insertSystemRecords } from "./first-records.ts";
import { defaultPasswordConnection } from "./password-connection.ts";
import { copyToTenant } from "../sync/copy-to-tenant.ts";
import { forgetTenant, type Installation } from "../installation.ts";
import { clearData, clearDirectory, clearTenant } from "./clear-tenant.ts";
import { finishCreation } from "./finish-creation.ts";
import { callBeforeHook, provisionTime, toHookTenant } from "./hooks.ts";
import { leaseTime, withLease, type Lease } from "./lease.ts";
import { beginOperation, describe, type LifecycleOperation } from "./operations.ts";
import { removeMarker } from "./second-clearing.ts";
import { insertOrganization, newAccess } from "./tenant-organization.ts";

/** The data of a new tenant. */
export interface NewTenant {
  readonly id: string;
  readonly name: string;
  readonly friendlyName: string;
  /** In the format of the `settings` column. */
  readonly settings: JsonObject;
  /** The user of the control plane that creates the tenant, and becomes the first member of its organization. */
  readonly creatorId: string | undefined;
}

/**
 * Creates a tenant, with its organization on the control plane. If several calls create the same tenant, the call whose
 * insert of the tenant's row succeeds creates it, and the others fail. Requests find the tenant only after all its
 * resources were created. If the creation fails, everything that it created is deleted. If the process crashes, `sweep`
 * deletes it.
 * @throws {PosternError} `conflict` if the id is taken, `invalid_request` if the id is invalid or a hook rejects the
 * tenant.
 */
export async function createTenant(installation: Installation, given: NewTenant): Promise<Row<"tenants">> {
  const { collections } = installation;
  if (!isTenantId(given.id))
    throw new PosternError("invalid_request", "body: 'id' must be 1 to 63 lower-case letters, digits, - and _, and not a reserved word");
  const taken = (): PosternError => new PosternError("conflict", "a tenant with this id exists, or is being created or deleted");
  if ((await collections.tenants.count({ id: given.id })) > 0) throw taken();
  const access = await newAccess(installation);
  const now = installation.now();
  const leaseUntil = now + leaseTime;
  const row: Row<"tenants"> = {
    id: given.id,
    name: given.name,
    friendly_name: given.friendlyName,
    settings: given.settings,
    branding: {},
    attack_protection: {},
    multifactor: {},
    ...access,
    ready_at: null,
    lease_until: leaseUntil,
    counted_until: now,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
  await callBeforeHook(installation, "onTenantCreating", toHookTenant(row));
  if (!(await collections.tenants.insert([row]))) throw taken();
  return withLease(
    installation.host,
    collections.tenants,
    { id: row.id },
    (lease) => make(installation, row, given.creatorId, lease),
    leaseUntil,
  );
}

async function make(installation: Installation, row: Row<"tenants">, creatorId: string | undefined, lease: Lease): Promise<Row<"tenants">> {
  const { collections } = installation;
  const tenant = toHookTenant(row);
  const operation = await beginOperation(installation, { kind: "provision", tenantId: row.id, input: { tenants: [{ ...tenant }] } });
  const readyAt = installation.now();
  try {
    await provision(installation, row.id, operation);
    lease.check();
    await operation.step("records", () => firstRecords(installation, row.id, operation, lease));
    await operation.step("sync", () => copyToTenant(installation, row.id));
    await operation.step("organization", () => insertOrganization(installation, row, creatorId));
    lease.check();
    const made = await collections.tenants.update({ id: row.id, ready_at: null, deleting_at: null }, { set: { ready_at: readyAt } });
    if (made !== 1) throw new Error("the tenant was deleted while it was being created");
  } catch (error) {
    await undo(installation, row, operation, lease, error);
    throw error;
  }
  forgetTenant(installation, row.id);
  await finishCreation(installation, operation, tenant);
  return { ...row, ready_at: readyAt, lease_until: 0 };
}

/** Calls the host application's `onProvision`, which creates the tenant's resources. */
export async function provision(installation: Installation, tenantId: string, operation: LifecycleOperation): Promise<void> {
  const { isolation } = installation;
  if (isolation?.onProvision === undefined) return;
  const callHook = async (): Promise<void> => isolation.onProvision?.(tenantId, operation.report);
  await operation.step("provision", () => withDeadline(callHook, provisionTime, "onProvision", installation.host.wait));
  // Clears the cached state of the tenant's database, such as that it is missing or lacks a table.
  await installation.stores.close(tenantId);
}

async function firstRecords(installation: Installation, tenantId: string, operation: LifecycleOperation, lease: Lease): Promise<void> {
  // Deletes the data that requests in progress wrote for an earlier tenant with this id while that tenant was being
  // deleted.
  await removeMarker(installation, tenantId);
  await clearDirectory(installation, tenantId, lease);
  await clearData(installation, installation.stores.collectionsOf(tenantId), tenantId, operation, lease);
  await insertSystemRecords(installation, installation.scope(tenantId), defaultPasswordConnection);
}

/** Deletes everything that was created for a tenant whose creation failed. If that fails, `sweep` deletes the rest. */
async function undo(
  installation: Installation,
  row: Row<"tenants">,
  operation: LifecycleOperation,
  lease: Lease,
  reason: unknown,
): Promise<void> {
  const { collections } = installation;
  const { id, created_at } = row;
  try {
    lease.check();
    await collections.tenants.update({ id, created_at, ready_at: null }, { set: { deleting_at: installation.now() } });
    await clearTenant(installation, row, operation, lease);
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "tenant_not_cleared", tenant_id: id, error });
  }
  await operation
    .finish("failed", describe(reason))
    .catch((error: unknown) => installation.host.logger.log({ level: "error", event: "fault", error }));
}
