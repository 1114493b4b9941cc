import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import { ready, readFacts } from "./ready.ts";

/** Postern as the standalone example serves it: the same listener, the same database module, tables and first tenant looked after at the start. */
const [, , database = "", factsPath = ""] = process.argv;
const facts = readFacts(factsPath);
const data = await openDatabase(`sqlite:${database}`);
await data.migrate();
const postern = createPostern({
  issuer: facts.issuer,
  data,
  secret: facts.keyRing,
  defaultTenantId: "main",
  controlPlane: { tenantId: "main" },
});
await postern.seed({ tenantId: "main" });

const listener = getRequestListener((request, { incoming }) => {
  const { remoteAddress } = incoming.socket;
  return postern.fetch(request, remoteAddress === undefined ? {} : { clientAddress: remoteAddress });
});
ready(createServer((request, response) => void listener(request, response)));
