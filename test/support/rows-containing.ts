import { schema, type AnyRow, type Collection, type DataAdapter } from "@postern/core/adapter";

/** Collections that store past events on purpose. */
const records = new Set(["logs", "revoked_grants"]);

/** Returns every row of a tenant that contains a text, as `collection: row`. Omits the audit log. */
export async function rowsContaining({ collections }: DataAdapter, text: string, tenantId = "main"): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, scope, key } of Object.values(schema)) {
    if (records.has(name)) continue;
    // The row types differ by collection; here they are serialized.
    const collection = collections[name] as unknown as Collection;
    const where = scope === "tenant" || name === "directory" ? { tenant_id: tenantId } : undefined;
    if (where === undefined) continue;
    const rows: AnyRow[] = [];
    for (;;) {
      const fields = scope === "tenant" ? ["tenant_id", ...key] : [...key];
      const last = rows.at(-1);
      const page = await collection.find({
        where,
        orderBy: { fields, direction: "asc" },
        limit: 1000,
        ...(last && { after: fields.map((field) => String(last[field])) }),
      });
      rows.push(...page);
      if (page.length < 1000) break;
    }
    found.push(...rows.map((row) => `${name}: ${JSON.stringify(row)}`).filter((row) => row.includes(text)));
  }
  return found;
}
