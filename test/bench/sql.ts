import pg from "pg";

/** Runs one statement on a PostgreSQL server: `node sql.mjs <URL> <statement>`. */
const [, , address = "", statement = ""] = process.argv;
const client = new pg.Client({ connectionString: address });
await client.connect();
await client.query(statement);
await client.end();
