import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import { claimsOf, codeGrant, redirectOf, submitStep, successParameters, tokens } from "../support/flow.ts";
import { audience, openDocumentService, reachConsent } from "./documents.ts";

/** A published metadata document of a client, and a redirect URI that the client sends. */
interface RealClient {
  readonly url: string;
  readonly document: object;
  readonly redirectUri: string;
  readonly authenticates?: true;
}

const code = { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"], token_endpoint_auth_method: "none" };

/** Written by hand after the documents that these products published in 2026. */
const clients: { readonly [name: string]: RealClient } = {
  "Claude on the web": {
    url: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    document: {
      client_name: "Claude",
      client_uri: "https://claude.ai",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
      ...code,
      grant_types: [...code.grant_types, "urn:ietf:params:oauth:grant-type:jwt-bearer"],
    },
    redirectUri: "https://claude.ai/api/mcp/auth_callback",
  },
  "Claude Code": {
    url: "https://claude.ai/oauth/claude-code-client-metadata",
    document: {
      client_name: "Claude Code",
      client_uri: "https://claude.ai",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      ...code,
    },
    redirectUri: "http://localhost:54321/callback",
  },
  ChatGPT: {
    url: "https://chatgpt.com/oauth/client.json",
    document: {
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
      grant_types: code.grant_types,
      response_types: code.response_types,
      token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
      jwks_uri: "https://chatgpt.com/oauth/jwks.json",
    },
    redirectUri: "https://chatgpt.com/connector_platform_oauth_redirect",
    authenticates: true,
  },
  Codex: {
    url: "https://chatgpt.com/oauth/codex/client.json",
    document: { client_name: "Codex", redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"], ...code },
    redirectUri: "http://127.0.0.1:1455/callback",
  },
  "VS Code": {
    url: "https://vscode.dev/oauth/client-metadata.json",
    document: {
      client_name: "Visual Studio Code",
      client_uri: "https://vscode.dev/product",
      logo_uri: "https://vscode.dev/static/stable/code-192.png",
      application_type: "native",
      redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
      ...code,
      grant_types: [...code.grant_types, "urn:ietf:params:oauth:grant-type:device_code"],
    },
    redirectUri: "http://127.0.0.1:61022/",
  },
  OpenCode: {
    url: "https://opencode.ai/oauth/opencode/client.json",
    document: { client_name: "OpenCode", redirect_uris: ["http://127.0.0.1:19876/mcp/oauth/callback"], ...code },
    redirectUri: "http://127.0.0.1:19876/mcp/oauth/callback",
  },
  Zed: {
    url: "https://zed.dev/oauth/client-metadata.json",
    document: { client_name: "Zed", client_uri: "https://zed.dev", redirect_uris: ["http://127.0.0.1/callback"], ...code },
    redirectUri: "http://127.0.0.1:50505/callback",
  },
};

test.each(Object.entries(clients))(
  "%s gets from its document to a token and a refreshed token",
  async (_, { url, document, redirectUri, authenticates }) => {
    const service = await openDocumentService();
    service.publish(url, { client_id: url, ...document });
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    service.publish("https://chatgpt.com/oauth/jwks.json", {
      keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" }],
    });
    const proof = async (): Promise<{ readonly [name: string]: string }> => {
      if (authenticates === undefined) return { client_id: url };
      const now = Math.floor(service.clock.now() / 1000);
      const assertion = new SignJWT({ jti: String(Math.random()) })
        .setProtectedHeader({ alg: "RS256", kid: "one" })
        .setIssuer(url)
        .setSubject(url);
      const signed = await assertion
        .setAudience(service.postern.issuer)
        .setExpirationTime(now + 60)
        .sign(privateKey);
      return { client_assertion: signed, client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" };
    };

    const browser = service.browser();
    const state = await reachConsent(service, browser, { client_id: url, redirect_uri: redirectUri });
    const { code: issued = "", iss } = successParameters(redirectOf(await submitStep(browser, state, { action: "accept" })));
    expect(iss).toBe(service.postern.issuer);
    const { client_id: _clientId, ...grant } = codeGrant({ clientId: url, redirectUri }, issued);
    const granted = tokens(await service.exchange({ ...grant, resource: audience, ...(await proof()) }));
    expect(claimsOf(granted.access)).toMatchObject({ azp: url });
    const refreshed = await service.exchange({
      grant_type: "refresh_token",
      refresh_token: granted.refresh,
      resource: audience,
      ...(await proof()),
    });
    expect(claimsOf(tokens(refreshed).access)).toMatchObject({ azp: url });
  },
);
