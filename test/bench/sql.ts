import pg from "pg";

/** Says one statement to a PostgreSQL server: `node sql.mjs <address> <statement>`. */
const [, , address = "", statement = ""] = process.argv;
const client = new pg.Client({ connectionString: address });
await client.connect();
await client.query(statement);
await client.end();
