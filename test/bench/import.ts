import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

/**
 * Measures an import of many users: `node import.mjs <database URL> <users>` creates a database, imports, and prints
 * one line of JSON.
 */
export interface ImportFigures {
  readonly seconds: number;
  /** The maximum growth of the heap during the import, in mebibytes. */
  readonly heap: number;
  /** The maximum growth of the process's memory during the import, in mebibytes. */
  readonly process: number;
}

const [, , address = "", count = "0"] = process.argv;
const hash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2E$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g";
const data = await openDatabase(address);
await data.migrate();
const postern = createPostern({
  issuer: "http://127.0.0.1:3000/",
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
});
await postern.seed({ tenantId: "main", clients: [] });

/** Yields the users one by one, as a file would. */
async function* users() {
  for (let n = 0; n < Number(count); n++) {
    yield {
      email: `person${n}@example.com`,
      email_verified: true,
      user_id: `auth0|${n.toString(16).padStart(24, "0")}`,
      name: `Person ${n}`,
      given_name: "Person",
      app_metadata: { plan: n % 3 === 0 ? "gold" : "free" },
      password_hash: hash,
    };
  }
}

globalThis.gc?.();
const before = process.memoryUsage();
let [heap, resident] = [before.heapUsed, before.rss];
const began = performance.now();
const { inserted } = await postern.importUsers("main", users(), {
  connection: "Username-Password-Authentication",
  onProgress: ({ total }) => {
    if (total % 1000 !== 0) return;
    const now = process.memoryUsage();
    [heap, resident] = [Math.max(heap, now.heapUsed), Math.max(resident, now.rss)];
  },
});
const seconds = (performance.now() - began) / 1000;
if (inserted !== Number(count)) throw new Error(`${inserted} of ${count} users were imported`);
const mebibytes = (bytes: number): number => bytes / 1024 / 1024;
const figures: ImportFigures = { seconds, heap: mebibytes(heap - before.heapUsed), process: mebibytes(resident - before.rss) };
process.stdout.write(`${JSON.stringify(figures)}\n`);
await data.close();
