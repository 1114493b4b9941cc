import { readFileSync } from "node:fs";

/** The values that the benchmark prepared for every server. */
export const facts = JSON.parse(readFileSync(process.argv[3], "utf8"));

/** Listens on a free port and prints it, with the values that requests need. */
export function ready(server, peer = {}) {
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${JSON.stringify({ port: server.address().port, peer })}\n`));
  process.on("SIGTERM", () => process.exit(0));
}
