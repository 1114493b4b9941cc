import { openDatabases } from "./databases.ts";
import { migrateAll } from "./migrate-all.ts";

const databases = await openDatabases(process.env["DATABASES"] ?? "./data");
try {
  process.exitCode = await migrateAll(databases, (line) => console.log(line));
} finally {
  await databases.close();
}
