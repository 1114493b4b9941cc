import Database from "better-sqlite3";
import { during } from "./databases.ts";
import { listsUseIndexes } from "./plans.ts";
import { recordingSqlite } from "./recording.ts";

const database = new Database(":memory:");
const { adapter, recorded } = recordingSqlite(database);

listsUseIndexes({
  open: during(() => adapter),
  recorded: () => recorded,
  explain: async (sql, values) =>
    database
      .prepare<unknown[], { detail: string }>(`explain query plan ${sql}`)
      .all(values)
      .map(({ detail }) => detail)
      .join("\n"),
  analyze: async () => database.exec("analyze"),
  faults: /TEMP B-TREE|SCAN/,
  sorts: /TEMP B-TREE|SCAN/,
  counting: /COVERING INDEX postern_(users_by_linked_to_deleting_at|tenants_by_ready_at_deleting_at)/,
});
