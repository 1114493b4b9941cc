import { schema, storedKey, type AnyRow, type Collection, type Collections } from "@postern/core/adapter";

const page = 100;

/**
 * Copies every row of a tenant from one database into another: from the first one into its own, or back. Nothing may write for the tenant meanwhile.
 * Repeating it adds what is missing. What is sealed opens in any database that has the same secret.
 * @returns how many rows were added.
 */
export async function copyTenant(from: Collections, to: Collections, tenantId: string): Promise<number> {
  let added = 0;
  for (const description of Object.values(schema)) {
    if (description.scope !== "tenant") continue;
    // The row types differ from collection to collection; the same one is on both sides.
    const [source, target] = [from, to].map((collections) => collections[description.name] as unknown as Collection<AnyRow>);
    if (source === undefined || target === undefined) continue;
    const fields = storedKey(description);
    for (let last: AnyRow | undefined; ;) {
      const after = last && fields.map((field) => String(last?.[field]));
      const rows = await source.find({
        where: { tenant_id: tenantId },
        orderBy: { fields, direction: "asc" },
        limit: page,
        ...(after && { after }),
      });
      if (rows.length > 0 && (await target.insert(rows))) added += rows.length;
      else for (const row of rows) if (await target.insert([row])) added++;
      if (rows.length < page) break;
      last = rows.at(-1);
    }
  }
  return added;
}
