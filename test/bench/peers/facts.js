import { readFileSync } from "node:fs";

/** What the benchmark prepared for every server. */
export const facts = JSON.parse(readFileSync(process.argv[3], "utf8"));

/** Listens on a free port and says which, with what requests have to know. */
export function ready(server, peer = {}) {
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify({ port: server.address().port, peer })}\n`));
  process.on("SIGTERM", () => process.exit(0));
}
