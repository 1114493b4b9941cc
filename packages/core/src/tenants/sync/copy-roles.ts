import type { DataContext } from "../../context.ts";
import { sameJson } from "../../store/same-json.ts";
import type { Row } from "../../store/schema.ts";
import { removeRole } from "../../identity/access/remove-role.ts";
import { changeCopy, ownNames, readCopies, readCopiesBeingDeleted, type CopyResult } from "./copies.ts";
import { roleNames } from "./role-names.ts";

/**
 * Makes a tenant's copies of roles equal to the originals, except for their permissions. Safe to repeat and to run in
 * parallel.
 */
export async function copyRoles(context: DataContext, shared: readonly Row<"roles">[]): Promise<CopyResult> {
  const { roles: collection } = context.data;
  const now = context.now();
  const [copies, beingDeleted] = await Promise.all([readCopies(collection), readCopiesBeingDeleted(collection)]);
  const sharedIds = new Set(shared.map(({ id }) => id));
  // Deletes copies first, because another role of the control plane may have the name of a deleted one now.
  const unwanted = [...beingDeleted, ...[...copies].flatMap(([origin, copy]) => (sharedIds.has(origin) ? [] : [copy]))];
  for (const copy of unwanted) await removeRole(context.data, copy, now);

  const renamed = shared.filter(({ id, name }) => copies.get(id)?.name !== name).map(({ name }) => name);
  const names = roleNames(shared, copies, await ownNames(collection, "name", renamed));
  const target = ({ id, description, metadata }: Row<"roles">, copy: Row<"roles">) => {
    const name = names.get(id) ?? copy.name;
    return { name, name_folded: name.toLowerCase(), description, metadata };
  };
  const changed = shared.flatMap((role) => {
    const copy = copies.get(role.id);
    if (copy === undefined) return [];
    const set = target(role, copy);
    const same = copy.name === set.name && copy.description === set.description && sameJson(copy.metadata, set.metadata);
    return same ? [] : [{ copy, set }];
  });
  // Two roles may have exchanged their names. So a copy whose name another copy needs first gets a temporary name, and
  // gets its final name in the next round.
  const claimed = new Set(changed.map(({ set }) => set.name));
  for (const { copy, set } of changed) {
    if (copy.name === set.name || !claimed.has(copy.name)) continue;
    const name = context.random.record("rol_");
    await changeCopy(collection, copy, { name, name_folded: name.toLowerCase() });
  }
  for (const { copy, set } of changed) await changeCopy(collection, copy, { ...set, updated_at: now });

  const added = shared.filter(({ id }) => !copies.has(id) && names.has(id));
  for (const { id: origin, name, name_folded, description, metadata } of added) {
    const common = { revision: 0, created_at: now, updated_at: now, deleting_at: null };
    await collection.insert([
      { id: context.random.record("rol_"), name, name_folded, description, metadata, is_system: false, origin, ...common },
    ]);
  }
  const skippedNames = shared.filter(({ id, name }) => names.get(id) !== name).map(({ name }) => name);
  return { copies, again: unwanted.length + changed.length + added.length > 0, skippedNames };
}
