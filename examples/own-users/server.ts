import { createPostern } from "@postern/core";
import { toNodeHandler } from "@postern/express";
import { createSqliteAdapter } from "@postern/kysely";
import Database from "better-sqlite3";
import { createServer } from "node:http";
import { originalTable, tables, upgradeCustomers } from "./customers.ts";

const { PORT = "3000", POSTERN_SECRET = "for-development-only-0123456789abcdef" } = process.env;

/** Represents the app's database. Each start creates it with one customer. */
const database = new Database(":memory:");
database.exec(originalTable);
database.exec("insert into customers (mail, full_name, plan) values ('ada@example.test', 'Ada', 'gold')");

upgradeCustomers(database);
const data = createSqliteAdapter({ database, tables });
await data.migrate();

const issuer = `http://localhost:${PORT}/`;
const postern = createPostern({ issuer, data, crypto: { secret: POSTERN_SECRET }, defaultTenantId: "main" });
await postern.seed({
  tenantId: "main",
  clients: [{ clientId: "my-app", settings: { name: "My app", app_type: "spa", callbacks: ["http://localhost:3000/callback"] } }],
});
await postern.tenant("main").users.update("auth0|1", { password: "Correct-horse-battery-7" });

createServer(toNodeHandler(postern)).listen(Number(PORT), "127.0.0.1", () => {
  console.log(
    `Sign in as ada@example.test with Correct-horse-battery-7: ${issuer}authorize?client_id=my-app&response_type=code&redirect_uri=http://localhost:3000/callback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`,
  );
});
