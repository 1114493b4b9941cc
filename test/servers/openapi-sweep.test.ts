import { schema, type Collection, type DataAdapter } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { afterAll, beforeAll, describe } from "vitest";
import { ownMysql, ownPostgres, type OwnDatabase } from "../../packages/kysely/test/servers.ts";
import { hostileRequestsOn } from "../openapi-sweep/hostile-requests.ts";

/** Databases that enforce text encodings, number types and lengths. */
describe.each([
  ["PostgreSQL", ownPostgres],
  ["MariaDB", ownMysql],
] as const)("on %s", (_, create) => {
  let database: OwnDatabase;
  let data: Awaited<ReturnType<typeof openDatabase>>;

  beforeAll(async () => {
    database = await create("sweep");
    data = await openDatabase(database.url, { connections: 4 });
    await data.migrate();
  });
  afterAll(async () => {
    await data.close();
    await database.drop();
  });

  hostileRequestsOn(async () => {
    await deleteSweepRows(data);
    return data;
  });
});

/** Deletes all rows of the sweep's tenants. */
async function deleteSweepRows({ collections }: DataAdapter): Promise<void> {
  for (const { name, scope } of Object.values(schema)) {
    // The row types differ between collections. All but one have the tenant's id.
    const collection = collections[name] as unknown as Collection;
    const field = scope === "tenant" || name === "directory" ? "tenant_id" : "id";
    if (scope === "tenant" || name === "directory" || name === "tenants")
      await collection.delete({ [field]: { in: ["main", "other", "third"] } });
  }
}
