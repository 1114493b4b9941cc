import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { cacheLifetime } from "../cache.ts";
import type { Installation } from "../installation.ts";

/**
 * Another process serves a deleted tenant from its cache for up to five seconds. What it stores in that time, sign-ups for instance, is removed by a second clearing.
 * A marker in the directory remembers the deletion until then.
 */
const markerKind = "deleted";

/** Milliseconds after the deletion of a tenant before its second clearing: the cache lifetime, the duration of a request that began before, and the clock skew of processes. */
export const secondClearingDelay = cacheLifetime + 120_000;

/** Markers of one step. */
const page = 50;

/** The instant of a marker whose clearing has begun. */
const clearingBegun = 0;

/** Marks the record that reserves the id of a deleted tenant during its second clearing. */
const reservation = { second_clearing: true };

/** Whether a tenant record only reserves the id of a deleted tenant during its second clearing. */
export function isSecondClearing({ settings }: Pick<Row<"tenants">, "settings">): boolean {
  return settings["second_clearing"] === true;
}

/** Stores that a tenant was deleted now. Call it before its record is deleted, so that a crash between the two loses nothing. */
export async function markDeleted(installation: Installation, tenantId: string): Promise<void> {
  // The marker belongs to no tenant, so that the clearing of the directory leaves it.
  const marker = { kind: markerKind, value: tenantId, tenant_id: "", created_at: installation.now() };
  if (await installation.collections.directory.insert([marker])) return;
  await installation.collections.directory.update({ kind: markerKind, value: tenantId }, { set: { created_at: marker.created_at } });
}

/**
 * Removes the marker of a deleted tenant, because a new tenant takes the id. It begins with a clearing, and its data must not be removed later. A marker whose clearing has begun stays.
 */
export async function removeMarker({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<void> {
  await collections.directory.delete({ kind: markerKind, value: tenantId, created_at: { gt: clearingBegun } });
}

/**
 * Begins the clearing of a reserved id, or goes on with it after a crash. One statement decides between the clearing and a new tenant.
 * @returns false if a new tenant took the id, so that nothing may be removed.
 */
export async function claimMarker({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<boolean> {
  return (await collections.directory.update({ kind: markerKind, value: tenantId }, { set: { created_at: clearingBegun } })) === 1;
}

/** Removes the marker after the second clearing. */
export async function finishSecondClearing({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<void> {
  await collections.directory.delete({ kind: markerKind, value: tenantId });
}

/**
 * Makes sure that no second clearing removes the data of a tenant that is about to be created, and whose record comes last.
 * @throws {PosternError} `conflict` while a tenant with this id is being deleted or cleared.
 */
export async function requireNoClearing({ collections }: Pick<Installation, "collections">, tenantId: string): Promise<void> {
  await removeMarker({ collections }, tenantId);
  // The reserving record comes before the claim of the marker: either it is found here, or the clearing finds no marker.
  if ((await collections.tenants.count({ id: tenantId, deleting_at: { exists: true } })) === 0) return;
  throw new PosternError("conflict", `the tenant '${tenantId}' is being deleted: create it again in a moment`);
}

/**
 * Reserves the ids of the tenants that were deleted long enough ago, each with a record that is being deleted. The caller clears them like any other.
 * @returns whether no other marker is due.
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
