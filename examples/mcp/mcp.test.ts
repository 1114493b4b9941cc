import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHttpBrowser } from "../../test/support/code-flow.ts";
import { freePort } from "../../test/support/free-port.ts";

const callback = "http://127.0.0.1:43117/callback";

let server: { close(): void };
let url: URL;
beforeAll(async () => {
  const port = await freePort();
  process.env["PORT"] = String(port);
  ({ server } = await import("./server.ts"));
  url = new URL(`http://localhost:${port}/mcp`);
});
afterAll(() => {
  server.close();
  delete process.env["PORT"];
});

const noTokens: OAuthTokens = { access_token: "", token_type: "Bearer" };

/** The memory of an assistant on the user's machine. */
class Assistant implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: "Assistant", redirect_uris: [callback], token_endpoint_auth_method: "none" };
  readonly requests: URL[] = [];
  verifier = "";
  stored: OAuthTokens | undefined;

  clientInformation = () => ({ client_id: "assistant" });
  tokens = () => this.stored;
  codeVerifier = () => this.verifier;
  saveTokens(tokens: OAuthTokens): void {
    this.stored = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  redirectToAuthorization(to: URL): void {
    this.requests.push(to);
  }
}

async function signIn(request: URL): Promise<string> {
  const browser = openHttpBrowser(url.href);
  const identifier = await browser.go(request.href);
  const password = await browser.submit(identifier, { identifier: "me@example.com", action: "continue" });
  const signedIn = await browser.submit(password, { password: "correct horse battery", action: "sign-in" });
  // The SDK requests `prompt=consent` together with `offline_access`.
  const responded = signedIn.url.startsWith(callback) ? signedIn : await browser.submit(signedIn, { action: "accept" });
  return new URL(responded.url).searchParams.get("code") ?? "";
}

/** Calls a tool. If the server requires a token with further scopes, signs the user in and calls the tool again. */
async function call(assistant: Assistant, name: string, parameters: { readonly [name: string]: unknown } = {}): Promise<unknown> {
  for (;;) {
    const transport = new StreamableHTTPClientTransport(url, { authProvider: assistant });
    const client = new Client({ name: "assistant", version: "1.0.0" });
    try {
      await client.connect(transport);
      return (await client.callTool({ name, arguments: parameters })).content;
    } catch (error) {
      const request = assistant.requests.pop();
      if (!(error instanceof UnauthorizedError) || request === undefined) throw error;
      await transport.finishAuth(await signIn(request));
    } finally {
      await client.close();
    }
  }
}

test("an assistant that knows only the URL signs the user in, calls a tool, and gets further scopes when a tool needs them", async () => {
  const assistant = new Assistant();
  expect(await call(assistant, "list_invoices")).toMatchObject([
    { text: expect.stringMatching(/^Invoice 1 of Username-Password-Authentication\|/) },
  ]);
  expect(assistant.stored).toMatchObject({ scope: "offline_access read:invoices", refresh_token: expect.any(String) });
  // With a refresh token, this client refreshes the token for a new scope, and then gives up.
  const { refresh_token: _, ...withoutRefresh } = assistant.stored ?? noTokens;
  assistant.stored = withoutRefresh;
  expect(await call(assistant, "pay_invoice", { invoice: 7 })).toMatchObject([{ text: "Invoice 7 is paid" }]);
});

test("an assistant refreshes a token that the server rejects, without the user", async () => {
  const assistant = new Assistant();
  await call(assistant, "list_invoices");
  const first = assistant.stored;
  assistant.stored = { ...(first ?? noTokens), access_token: "expired" };
  await call(assistant, "list_invoices");
  expect(assistant.requests).toEqual([]);
  expect(assistant.stored?.access_token).not.toBe(first?.access_token);
});
