import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { cacheLifetime } from "../cache.ts";
import type { Installation } from "../installation.ts";

/**
 * The kind of directory entry that marks a deleted tenant until its second clearing. After a deletion, other processes
 * serve the tenant from their caches for up to five seconds. The second clearing deletes the data that they store in
 * that time, such as sign-ups.
 */
const markerKind = "deleted";

/**
 * Milliseconds after the deletion of a tenant before its second clearing: the cache lifetime, plus time for requests
 * that began before, and for clock skew between processes.
 */
const secondClearingDelay = cacheLifetime + 120_000;

/** Markers per query. */
const page = 50;

/** The timestamp of a marker whose clearing has begun. */
const clearingBegun = 0;

/** The settings that mark a row that reserves the id of a deleted tenant during its second clearing. */
const reservation = { second_clearing: true };

/** Whether a tenant's row only reserves the id of a deleted tenant during its second clearing. */
export function isSecondClearing({ settings }: Pick<Row<"tenants">, "settings">): boolean {
  return settings["second_clearing"] === true;
}

/**
 * Stores the marker for a tenant that is being deleted. Call it before the tenant's row is deleted, so that a crash
 * between the two does not lose the marker.
 */
export async function markDeleted(installation: Installation, tenantId: string): Promise<void> {
  // The marker belongs to no tenant, so that clearing the directory does not delete it.
  const marker = { kind: markerKind, value: tenantId, tenant_id: "", created_at: installation.now() };
  if (await installation.collections.directory.insert([marker])) return;
  await installation.collections.directory.update({ kind: markerKind, value: tenantId }, { set: { created_at: marker.created_at } });
}

/**
 * Removes the marker of a deleted tenant, because a new tenant takes the id. The creation of the new tenant clears the
 * data under the id itself, and the new tenant's data must not be deleted later. A marker whose second clearing has
 * begun stays.
 */
export async function removeMarker({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<void> {
  await collections.directory.delete({ kind: markerKind, value: tenantId, created_at: { gt: clearingBegun } });
}

/**
 * Claims the marker before the second clearing of a reserved id. The claim is one conditional update, so it succeeds
 * only if no new tenant has removed the marker. It also succeeds if a crashed process claimed the marker before.
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
 * Ensures that no second clearing deletes the data of a tenant that is being seeded, whose row is inserted last.
 * @throws {PosternError} `conflict` while a tenant with this id is being deleted or cleared.
 */
export async function requireNoClearing({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<void> {
  await removeMarker({ collections }, tenantId);
  // The row that reserves the id is inserted before the marker is claimed. So either that row is found here, or the
  // second clearing finds no marker.
  if ((await collections.tenants.count({ id: tenantId, deleting_at: { exists: true } })) === 0) return;
  throw new PosternError("conflict", `the tenant '${tenantId}' is being deleted: try again in a moment`);
}

/**
 * Reserves the ids of the tenants that were deleted long enough ago, each with a row that is marked as being deleted.
 * The caller clears them like any other deleted tenant.
 * @returns false if more ids may need to be reserved: call it again.
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
    multifactor: {},
    organization_id: null,
    member_access: {},
    ready_at: null,
    lease_until: 0,
    counted_until: now,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: now,
  };
}
