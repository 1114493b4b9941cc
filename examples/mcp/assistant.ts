import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { openHttpBrowser } from "../../test/support/code-flow.ts";
import { freePort } from "../../test/support/free-port.ts";

/** Starts the example on a free port. @returns the URL that users enter in their assistant. */
export async function startMcpServer(): Promise<{ readonly url: URL; close(): void }> {
  const port = await freePort();
  process.env["PORT"] = String(port);
  const { server } = await import("./server.ts").finally(() => delete process.env["PORT"]);
  return { url: new URL(`http://localhost:${port}/mcp`), close: () => void server.close() };
}

/** What an assistant on the user's computer stores, and the user with a browser. For tests. */
export class Assistant implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:43117/callback";
  readonly clientMetadata;
  /** The authorization requests that the user has not seen yet. */
  readonly requests: URL[] = [];
  /** The consent pages that the user accepted. */
  readonly consents: string[] = [];
  client: OAuthClientInformationMixed | undefined;
  stored: OAuthTokens | undefined;
  readonly #browser: ReturnType<typeof openHttpBrowser>;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = "";

  /** @param grantTypes the grant types that the assistant registers. */
  constructor(server: URL, grantTypes: string[]) {
    this.#browser = openHttpBrowser(server.href);
    this.clientMetadata = {
      client_name: "Assistant",
      // An assistant listens on any free port (RFC 8252 section 7.3).
      redirect_uris: ["http://127.0.0.1/callback"],
      token_endpoint_auth_method: "none",
      grant_types: grantTypes,
    };
  }

  clientInformation = () => this.client;
  tokens = () => this.stored;
  codeVerifier = () => this.#verifier;
  discoveryState = () => this.#discovered;
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.stored = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  saveDiscoveryState(discovered: OAuthDiscoveryState): void {
    this.#discovered = discovered;
  }
  redirectToAuthorization(request: URL): void {
    this.requests.push(request);
  }

  /** Lets the user sign in and consent. @returns the parameters of the response. */
  async authorize(request: URL): Promise<URLSearchParams> {
    const { consent, response } = await signInAndConsent(this.#browser, request.href);
    this.consents.push(consent);
    return new URL(response).searchParams;
  }
}

/**
 * Signs the user of the example in, unless the browser has a session, and consents.
 * @returns the consent page and the URL to which the browser is redirected.
 */
export async function signInAndConsent(
  browser: ReturnType<typeof openHttpBrowser>,
  request: string,
): Promise<{ readonly consent: string; readonly response: string }> {
  let page = await browser.go(request);
  if (page.html.includes('name="identifier"')) {
    const password = await browser.submit(page, { identifier: "me@example.com", action: "continue" });
    page = await browser.submit(password, { password: "correct horse battery", action: "sign-in" });
  }
  const { url } = await browser.submit(page, { action: "accept" });
  return { consent: page.html, response: url };
}
