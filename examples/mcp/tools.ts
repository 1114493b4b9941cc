import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";

/** The tools of the server, and the scopes that the access token of a call must have. */
export const toolScopes: { readonly [tool: string]: readonly string[] } = {
  list_invoices: ["read:invoices"],
  pay_invoice: ["read:invoices", "pay:invoices"],
};

/** Creates a server with the tools, for the requests of one user. */
export function createTools(userId: string): McpServer {
  const server = new McpServer({ name: "invoices", version: "1.0.0" });
  server.registerTool("list_invoices", { description: "Lists the user's invoices" }, () => text(`Invoice 1 of ${userId}`));
  server.registerTool("pay_invoice", { description: "Pays an invoice", inputSchema: { invoice: z.int() } }, ({ invoice }) =>
    text(`Invoice ${invoice} is paid`),
  );
  return server;
}

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
