/** Migrates the database whose address is the first argument, and prints what it did: one of several processes that do so at once. */
import { openDatabase } from "@postern/kysely/url";

const data = await openDatabase(String(process.argv[2]), { connections: 2 });
const { applied } = await data.migrate();
await data.check();
await data.close();
console.log(JSON.stringify(applied));
