import type { Row } from "../../store/schema.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { Installation } from "../../tenants/installation.ts";

/** The columns of a tenant that the doctor reads. */
export type ReadyTenant = Pick<Row<"tenants">, "id" | "multifactor" | "settings">;

/** The number of tenants that are read with one query. */
const page = 500;

/** Reads the tenants that exist completely and are not being deleted, page by page. */
export async function* readyTenants({ collections }: Installation): AsyncGenerator<ReadyTenant> {
  for (let after = ""; ; await endOfTurn()) {
    const rows = await collections.tenants.find({
      where: { id: { gt: after }, deleting_at: null, ready_at: { exists: true } },
      orderBy: { fields: ["id"], direction: "asc" },
      limit: page,
      fields: ["id", "multifactor", "settings"],
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return;
    after = last.id;
  }
}
