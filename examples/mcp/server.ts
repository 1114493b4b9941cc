import { once } from "node:events";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createTokenCheck } from "@postern/app";
import { createPostern } from "@postern/core";
import { requireToken, resourceMetadata, toExpressHandler, toExpressRootHandler } from "@postern/express";
import { createMemoryAdapter } from "@postern/memory";
import express, { type RequestHandler } from "express";
import { createTools, toolScopes } from "./tools.ts";

const { PORT = "3000", POSTERN_SECRET = "for-development-only-0123456789abcdef" } = process.env;
const origin = `http://localhost:${PORT}`;
const audience = `${origin}/mcp`;

const postern = createPostern({
  issuer: `${origin}/auth/`,
  data: createMemoryAdapter(),
  crypto: { secret: POSTERN_SECRET },
  defaultTenantId: "main",
});
await postern.seed({
  tenantId: "main",
  apis: [
    {
      identifier: audience,
      scopes: [
        { value: "read:invoices", description: "See your invoices" },
        { value: "pay:invoices", description: "Pay your invoices" },
      ],
      settings: { name: "Invoices", allow_offline_access: true },
    },
  ],
  // Clients of the Model Context Protocol, which nobody registers by hand.
  externalClients: {
    metadataDocuments: true,
    registration: true,
    passwords: true,
    grants: { [audience]: ["read:invoices", "pay:invoices"] },
  },
  user: { email: "me@example.com", password: "correct horse battery" },
});

const resource = { name: "Invoices", scopes: ["read:invoices", "pay:invoices", "offline_access"] };
const check = createTokenCheck({ postern, tenantId: "main", audience, resource });

/** Requires the scopes of the tool that a request calls. */
const handlers = new Map(Object.entries(toolScopes).map(([tool, scopes]) => [tool, requireToken(check, scopes)]));
const forOtherMethods = requireToken(check, ["read:invoices"]);
const handlerOf = ({ body }: express.Request) => handlers.get(String(body?.params?.name)) ?? forOtherMethods;
const authorize: RequestHandler = (request, response, next) => handlerOf(request)(request, response, next);

const app = express();
app.use(resourceMetadata(check), toExpressRootHandler(postern), toExpressHandler(postern));
app.post("/mcp", express.json(), authorize, async (request, response) => {
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  const tools = createTools(handlerOf(request).claims(request).sub);
  response.on("close", () => void tools.close());
  await tools.connect(transport);
  await transport.handleRequest(request, response, request.body);
});

/** The server. Listens on this machine only. */
export const server = app.listen(Number(PORT), "127.0.0.1");
await once(server, "listening");
console.log(`MCP server: ${audience}`);
