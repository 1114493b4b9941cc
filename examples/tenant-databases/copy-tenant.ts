import { schema, storedKey, type AnyRow, type Collection, type Collections } from "@postern/core/adapter";

const pageSize = 100;

/**
 * Copies every row of a tenant from one database into another, for example from the first database into the tenant's
 * database. No process may write data of the tenant during the copy. If you run it again, it adds the missing rows.
 * Encrypted data remains readable, because all databases use the same secret.
 * @returns the number of added rows.
 */
export async function copyTenant(from: Collections, to: Collections, tenantId: string): Promise<number> {
  let added = 0;
  for (const description of Object.values(schema)) {
    if (description.scope !== "tenant") continue;
    // The collections have different row types, but source and target have the same row type.
    const [source, target] = [from, to].map((collections) => collections[description.name] as unknown as Collection<AnyRow>);
    if (source === undefined || target === undefined) continue;
    const fields = storedKey(description);
    for (let last: AnyRow | undefined; ;) {
      const after = last && fields.map((field) => String(last?.[field]));
      const rows = await source.find({
        where: { tenant_id: tenantId },
        orderBy: { fields, direction: "asc" },
        limit: pageSize,
        ...(after && { after }),
      });
      if (rows.length > 0 && (await target.insert(rows))) added += rows.length;
      else for (const row of rows) if (await target.insert([row])) added++;
      if (rows.length < pageSize) break;
      last = rows.at(-1);
    }
  }
  return added;
}
