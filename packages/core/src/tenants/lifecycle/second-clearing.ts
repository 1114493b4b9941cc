import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { cacheLifetime } from "../cache.ts";
import type { Installation } from "../installation.ts";

/**
 * Another process serves a deleted tenant from its cache for up to five seconds. The data that it stores in that time,
 * such as sign-ups, is deleted by a second clearing. A marker in the directory remembers the deletion until then.
 */
const markerKind = "deleted";

/**
 * Milliseconds after the deletion of a tenant before its second clearing: the cache lifetime, the duration of a request
 * that began before, and the clock skew of processes.
 */
const secondClearingDelay = cacheLifetime + 120_000;

/** Markers per query. */
const page = 50;

/** The timestamp of a marker whose clearing has begun. */
const clearingBegun = 0;

/** Marks the record that reserves the id of a deleted tenant during its second clearing. */
const reservation = { second_clearing: true };

/** Whether a tenant record only reserves the id of a deleted tenant during its second clearing. */
export function isSecondClearing({ settings }: Pick<Row<"tenants">, "settings">): boolean {
  return settings["second_clearing"] === true;
}

/**
 * Stores that a tenant was deleted now. Call it before its record is deleted, so that a crash between the two loses
 * nothing.
 */
export async function markDeleted(installation: Installation, tenantId: string): Promise<void> {
  // The marker belongs to no tenant, so that clearing the directory does not delete it.
  const marker = { kind: markerKind, value: tenantId, tenant_id: "", created_at: installation.now() };
  if (await installation.collections.directory.insert([marker])) return;
  await installation.collections.directory.update({ kind: markerKind, value: tenantId }, { set: { created_at: marker.created_at } });
}

/**
 * Removes the marker of a deleted tenant, because a new tenant takes the id. The creation of the new tenant begins with
 * a clearing, and its data must not be deleted later. A marker whose clearing has begun stays.
 */
export async function removeMarker({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<void> {
  await collections.directory.delete({ kind: markerKind, value: tenantId, created_at: { gt: clearingBegun } });
}

/**
 * Begins the clearing of a reserved id, or continues it after a crash. One statement decides between the clearing and a
 * new tenant.
 * @returns false if a new tenant took the id, so that nothing may be deleted.
 */
export async function claimMarker({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<boolean> {
  return (await collections.directory.update({ kind: markerKind, value: tenantId }, { set: { created_at: clearingBegun } })) === 1;
}

/** Removes the marker after the second clearing. */
export async function finishSecondClearing({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<void> {
  await collections.directory.delete({ kind: markerKind, value: tenantId });
}

/**
 * Ensures that no second clearing deletes the data of a tenant that is about to be created, whose record is inserted
 * last.
 * @throws {PosternError} `conflict` while a tenant with this id is being deleted or cleared.
 */
export async function requireNoClearing({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<void> {
  await removeMarker({ collections }, tenantId);
  // The reserving record is inserted before the marker is claimed. So either it is found here, or the clearing finds no
  // marker.
  if ((await collections.tenants.count({ id: tenantId, deleting_at: { exists: true } })) === 0) return;
  throw new PosternError("conflict", `the tenant '${tenantId}' is being deleted: try again in a moment`);
}

/**
 * Reserves the ids of the tenants that were deleted long enough ago, each with a record that is being deleted. The
 * caller clears them like any other deleted tenant.
 * @returns false if further markers may be ready.
 */
export async function beginSecondClearings(installation: Installation): Promise<boolean> {
  const now = installation.now();
  const due = await installation.collections.directory.find({
    where: { kind: markerKind, created_at: { lte: now - secondClearingDelay } },
    limit: page,
  });
  for (const { value: id } of due) {
    if (await installation.collections.tenants.insert([reservationOf(id, now)])) continue;
    if ((await installation.collections.tenants.count({ id, ready_at: { exists: true }, deleting_at: null })) > 0)
      await removeMarker({ collections: installation.collections }, id);
  }
  return due.length < page;
}

function reservationOf(id: string, now: number): Row<"tenants"> {
  return {
    id,
    name: id,
    friendly_name: id,
    settings: reservation,
    branding: {},
    attack_protection: {},
    organization_id: null,
    member_access: {},
    ready_at: null,
    lease_until: 0,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: now,
  };
}
