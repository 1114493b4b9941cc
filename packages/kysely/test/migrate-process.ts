/**
 * Migrates the database whose URL is the first argument, and prints the migrations that it ran. Tests start several of
 * these processes at the same time.
 */
import { openDatabase } from "@postern/kysely/url";

const data = await openDatabase(String(process.argv[2]), { connections: 2 });
const { applied } = await data.migrate();
await data.check();
await data.close();
console.log(JSON.stringify(applied));
