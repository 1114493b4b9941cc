import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresDatabases } from "../../examples/tenant-databases/postgres.ts";
import { createPostgresAdapter, type SqlAdapter } from "@postern/kysely";
import { createPostgresSchemas } from "@postern/kysely/tenants";
import { keepsTheContract } from "../../packages/kysely/test/contract.ts";
import { during } from "../../packages/kysely/test/databases.ts";
import { ownPostgres, postgresPool } from "../../packages/kysely/test/servers.ts";
import { testTenantDatabases } from "../support/tenant-databases.ts";

const database = await ownPostgres("tenants");
const pool = postgresPool(database.url);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe("the example with a schema for each tenant", () =>
  testTenantDatabases(
    async () => postgresDatabases(database.url),
    (_, tenantId) =>
      pool.query(
        `drop schema "tenant_${tenantId}" cascade; create schema "tenant_${tenantId}"; create table "tenant_${tenantId}".postern_logs (unrelated text)`,
      ),
  ));

describe("a schema", () => {
  const inSchema = async (): Promise<SqlAdapter> => createPostgresAdapter({ pool, schema: "tenant_contract" });
  keepsTheContract(during(inSchema), inSchema);
});

describe("many schemas", () => {
  const schemas = createPostgresSchemas({ pool });
  const ids = Array.from({ length: 8 }, (_, i) => `many${i}`);

  beforeAll(async () => {
    // Provisions each schema twice, all in parallel. A deadlock would show if one call held the connection that another
    // needs.
    await Promise.all([...ids, ...ids].map((id) => schemas.provision(id)));
  });

  test("are migrated in parallel, once each", async () => {
    for (const id of ids) {
      expect((await schemas.provision(id)).applied).toEqual([]);
      const adapter = await schemas.open(id);
      await adapter.check();
      await adapter.close();
    }
  });

  test("leave no session state on the host's shared connections", async () => {
    const paths = await Promise.all(
      Array.from({ length: 10 }, () => pool.query("select current_setting('search_path') as path, pg_sleep(0.05)")),
    );
    expect(new Set(paths.map(({ rows }) => (rows[0] as { readonly path: string }).path))).toEqual(new Set(['"$user", public']));
    const prepared = await pool.query("select count(*)::int as n from pg_prepared_statements");
    expect(prepared.rows).toEqual([{ n: 0 }]);
    const locks = await pool.query("select count(*)::int as n from pg_locks where locktype = 'advisory'");
    expect(locks.rows).toEqual([{ n: 0 }]);
  });
});
