import { createServer } from "node:http";
import type { BareRoute } from "../operation.ts";
import { benchOperations } from "../operations.ts";
import { bareToken } from "./bare-token.ts";
import { bareTools } from "./bare-tools.ts";
import { ready, readFacts } from "./ready.ts";

/**
 * The lower bound: node:http, prepared statements and keys in memory. Each operation does only the unavoidable work.
 */
const [, , database = "", factsPath = ""] = process.argv;
const tools = await bareTools(database, readFacts(factsPath));
const routes = new Map<string, BareRoute["handle"]>();
for (const { bare } of benchOperations) {
  const route = bare?.(tools);
  if (route !== undefined) routes.set(route.route, route.handle);
}
const token = bareToken(
  tools,
  benchOperations.flatMap(({ bareGrant }) => bareGrant?.(tools) ?? []),
);
routes.set(token.route, token.handle);

const server = createServer((request, response) => {
  const { method = "", url = "" } = request;
  const end = url.indexOf("?");
  const name = `${method} ${end < 0 ? url : url.slice(0, end)}`;
  const handle = routes.get(name) ?? routes.get(name.slice(0, name.lastIndexOf("/") + 1));
  if (handle === undefined) return tools.send(response, 404, "{}");
  if (method === "GET") return void handle(request, response, "");
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => void handle(request, response, Buffer.concat(chunks).toString()));
});
ready(server);
