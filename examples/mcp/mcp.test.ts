import * as next from "@modelcontextprotocol/client";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant, startMcpServer } from "./assistant.ts";

let server: Awaited<ReturnType<typeof startMcpServer>>;
beforeAll(async () => {
  server = await startMcpServer();
});
afterAll(() => server.close());

/** A connection of a client library to the server. */
interface Connection {
  call(name: string, parameters: { readonly [name: string]: unknown }): Promise<unknown>;
  /** Redeems the code of an authorization response. */
  finish(response: URLSearchParams): Promise<void>;
  close(): Promise<void>;
}

const ownName = { name: "assistant", version: "1.0.0" };

function connectWithSdk(assistant: Assistant): Connection {
  const transport = new StreamableHTTPClientTransport(server.url, { authProvider: assistant });
  const client = new Client(ownName);
  return {
    call: async (name, parameters) => {
      await client.connect(transport);
      return (await client.callTool({ name, arguments: parameters })).content;
    },
    finish: (response) => transport.finishAuth(response.get("code") ?? ""),
    close: () => client.close(),
  };
}

/** The same with the successor of the SDK, which checks the issuer of the response as well. */
function connectWithClient(assistant: Assistant): Connection {
  const transport = new next.StreamableHTTPClientTransport(server.url, { authProvider: assistant });
  const client = new next.Client(ownName);
  return {
    call: async (name, parameters) => {
      await client.connect(transport);
      return (await client.callTool({ name, arguments: parameters })).content;
    },
    finish: (response) => transport.finishAuth(response),
    close: () => client.close(),
  };
}

type Connect = (assistant: Assistant) => Connection;

/** Calls a tool. If the server requires a token with further scopes, the user authorizes it, and the tool is called again. */
async function call(connect: Connect, assistant: Assistant, name: string, parameters: { [name: string]: unknown } = {}): Promise<unknown> {
  const first = connect(assistant);
  try {
    return await first.call(name, parameters);
  } catch (error) {
    const request = assistant.requests.pop();
    if (!(error instanceof UnauthorizedError || error instanceof next.UnauthorizedError) || request === undefined) throw error;
    await first.finish(await assistant.authorize(request));
  } finally {
    await first.close();
  }
  const second = connect(assistant);
  try {
    return await second.call(name, parameters);
  } finally {
    await second.close();
  }
}

const withRefresh = ["authorization_code", "refresh_token"];
const sdk = { library: "@modelcontextprotocol/sdk", connect: connectWithSdk };
const client = { library: "@modelcontextprotocol/client", connect: connectWithClient };

test.each([sdk, client])(
  "an assistant with $library that knows only the URL registers itself, calls a tool and refreshes",
  async ({ connect }) => {
    const assistant = new Assistant(server.url, withRefresh);
    expect(await call(connect, assistant, "list_invoices")).toMatchObject([
      { text: expect.stringMatching(/^Invoice 1 of Username-Password-Authentication\|/) },
    ]);
    expect(assistant.client).toMatchObject({ client_id: expect.stringMatching(/^tpc_/), token_endpoint_auth_method: "none" });
    expect(assistant.consents).toEqual([expect.stringMatching(/See your invoices/)]);
    expect(assistant.consents[0]).toContain("127.0.0.1:43117");
    expect(assistant.consents[0]).not.toContain("Pay your invoices");
    const first = assistant.stored;
    expect(first).toMatchObject({ scope: "offline_access read:invoices", refresh_token: expect.any(String) });

    if (first) assistant.stored = { ...first, access_token: "expired" };
    await call(connect, assistant, "list_invoices");
    expect(assistant.consents).toHaveLength(1);
    expect(assistant.stored?.access_token).not.toBe(first?.access_token);
    expect(assistant.stored?.refresh_token).not.toBe(first?.refresh_token);
  },
);

test.each([
  // With a refresh token, the SDK refreshes the token for a new scope, and then gives up (below).
  { ...sdk, grantTypes: ["authorization_code"], scope: "read:invoices pay:invoices" },
  { ...client, grantTypes: withRefresh, scope: "offline_access read:invoices pay:invoices" },
])("an assistant with $library gets further scopes when a tool needs them", async ({ connect, grantTypes, scope }) => {
  const assistant = new Assistant(server.url, grantTypes);
  await call(connect, assistant, "list_invoices");
  expect(assistant.stored?.refresh_token !== undefined).toBe(grantTypes === withRefresh);
  expect(await call(connect, assistant, "pay_invoice", { invoice: 7 })).toMatchObject([{ text: "Invoice 7 is paid" }]);
  expect(assistant.consents).toEqual([expect.not.stringContaining("Pay your invoices"), expect.stringContaining("Pay your invoices")]);
  expect(assistant.stored?.scope).toBe(scope);
});

test("an assistant with the SDK and a refresh token refreshes it for a new scope, and then gives up", async () => {
  const assistant = new Assistant(server.url, withRefresh);
  await call(connectWithSdk, assistant, "list_invoices");
  const first = assistant.stored;
  await expect(call(connectWithSdk, assistant, "pay_invoice", { invoice: 7 })).rejects.toThrow("403 after trying upscoping");
  expect(assistant.stored?.refresh_token).not.toBe(first?.refresh_token);
  expect(assistant.stored?.scope).toBe(first?.scope);
  expect(assistant.consents).toHaveLength(1);
});
