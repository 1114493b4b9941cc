import type { DataContext } from "../../context.ts";
import { sameJson } from "../../store/same-json.ts";
import type { Row } from "../../store/schema.ts";
import { removeApi } from "../../identity/access/remove-api.ts";
import { changeCopy, ownNames, readCopies, readCopiesBeingDeleted, type CopyResult } from "./copies.ts";

/** Makes a tenant's copies of APIs equal to the originals. Safe to repeat and to run in parallel. */
export async function copyApis(context: DataContext, shared: readonly Row<"resource_servers">[]): Promise<CopyResult> {
  const { resource_servers: collection } = context.data;
  const now = context.now();
  const [copies, beingDeleted] = await Promise.all([readCopies(collection), readCopiesBeingDeleted(collection)]);
  const sharedIds = new Set(shared.map(({ id }) => id));
  // Deletes copies first, because another API of the control plane may have the identifier of a deleted one now.
  const unwanted = [...beingDeleted, ...[...copies].flatMap(([origin, copy]) => (sharedIds.has(origin) ? [] : [copy]))];
  for (const copy of unwanted) await removeApi(context.data, copy, now);

  const missing = shared.filter(({ id }) => !copies.has(id));
  const taken = await ownNames(
    collection,
    "identifier",
    missing.map(({ identifier }) => identifier),
  );
  const changed = shared.filter((api) => {
    const copy = copies.get(api.id);
    return copy !== undefined && !(copy.name === api.name && sameJson(copy.settings, api.settings));
  });
  for (const { id, name, settings } of changed) {
    const copy = copies.get(id);
    if (copy !== undefined) await changeCopy(collection, copy, { name, settings, updated_at: now });
  }
  const added = missing.filter(({ identifier }) => !taken.has(identifier));
  for (const { id: origin, identifier, name, settings } of added) {
    const common = { revision: 0, created_at: now, updated_at: now, deleting_at: null };
    await collection.insert([{ id: context.random.record(), identifier, name, is_system: false, origin, settings, ...common }]);
  }
  return { copies, again: unwanted.length + changed.length + added.length > 0, skippedNames: [...taken] };
}
