import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createPasswordHasher, createPostern, type LimitOptions, type PasswordHasher, type TelemetryOptions } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import { keyRingFromSecrets } from "../../../examples/standalone/src/secrets.ts";
import { databaseUrl } from "../lib/database-url.ts";
import { ready, readFacts, watchStalls } from "./ready.ts";

/**
 * Serves Postern as the standalone example does: with the same listener and database module, and with migration and
 * seed at the start.
 */
const [, , database = "", factsPath = "", hashing = ""] = process.argv;
const facts = readFacts(factsPath);
const limits = process.env["POSTERN_BENCH_LIMITS"];
const sdk = process.env["POSTERN_BENCH_TELEMETRY"];
/** A hasher that costs nothing, to measure a login without the cost of the hash. */
const noHash: PasswordHasher = {
  hash: async (password) => `$none$${password}`,
  verify: async (password, stored) => (stored === `$none$${password}` ? "match" : "no-match"),
  verifyDummy: async () => {},
  accepts: () => true,
};
const { telemetry } = sdk === undefined ? {} : ((await import(sdk)) as { readonly telemetry?: TelemetryOptions });
const data = await openDatabase(databaseUrl(database));
await data.migrate();
const postern = createPostern({
  issuer: facts.issuer,
  data,
  crypto: {
    secret: keyRingFromSecrets(facts.keyRing),
    hasher: hashing === "no-hash" ? noHash : createPasswordHasher({ algorithm: "argon2id" }),
  },
  defaultTenantId: "main",
  controlPlane: { tenantId: "main" },
  ...(telemetry && { telemetry }),
  ...(limits !== undefined && { limits: JSON.parse(limits) as LimitOptions }),
});
if (hashing !== "") watchStalls();
await postern.seed({ tenantId: "main" });

const listener = getRequestListener((request, { incoming }) => {
  const { remoteAddress } = incoming.socket;
  return postern.fetch(request, remoteAddress === undefined ? {} : { clientAddress: remoteAddress });
});
ready(createServer((request, response) => void listener(request, response)));
