/** A registration as a client sends it, and what differs in the requests that follow. */
export interface RealClient {
  readonly name: string;
  /** The body of the registration. */
  readonly metadata: { readonly [member: string]: unknown };
  /** The redirect URI of the authorization request, if it is not the first registered one. */
  readonly redirectUri?: string;
  /** The origin whose script exchanges the code. */
  readonly origin?: string;
  /** The spelling of `resource`. Default: the identifier of the API. */
  readonly resource?: string;
  /** Whether refresh requests contain `resource`. Default: true. */
  readonly refreshesWithResource?: false;
}

const forUsers = ["authorization_code", "refresh_token"];
const common = { grant_types: forUsers, response_types: ["code"], token_endpoint_auth_method: "none" };

/** Registrations of clients for the Model Context Protocol, written by hand after their sources and reports. */
export const realClients: readonly RealClient[] = [
  {
    name: "Cursor",
    metadata: {
      ...common,
      client_name: "Cursor",
      redirect_uris: [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
      ],
    },
  },
  {
    name: "Claude Code",
    metadata: {
      ...common,
      client_name: "Claude Code (tools)",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      application_type: "native",
    },
    redirectUri: "http://localhost:53682/callback",
  },
  {
    name: "claude.ai",
    metadata: {
      client_name: "Claude",
      grant_types: forUsers,
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
      scope: "openid profile email phone offline_access",
    },
  },
  {
    name: "VS Code",
    metadata: {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      grant_types: [...forUsers, "urn:ietf:params:oauth:grant-type:device_code"],
      response_types: ["code"],
      redirect_uris: [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
      ],
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    redirectUri: "http://127.0.0.1:33418/",
  },
  {
    name: "Gemini CLI",
    metadata: { ...common, client_name: "Gemini CLI MCP Client", redirect_uris: ["http://localhost:7777/oauth/callback"], scope: "" },
  },
  {
    name: "GitHub Copilot CLI",
    metadata: { ...common, client_name: "GitHub Copilot CLI", redirect_uris: ["http://127.0.0.1:36131/"], application_type: "native" },
  },
  {
    name: "OpenCode",
    metadata: {
      ...common,
      client_name: "OpenCode",
      client_uri: "https://opencode.ai",
      redirect_uris: ["http://127.0.0.1:19876/mcp/oauth/callback"],
    },
    redirectUri: "http://127.0.0.1:20001/mcp/oauth/callback",
  },
  {
    name: "Codex",
    metadata: { ...common, client_name: "Codex", redirect_uris: ["http://127.0.0.1:49152/callback"], application_type: "native" },
    redirectUri: "http://127.0.0.1:60233/callback",
    refreshesWithResource: false,
  },
  { name: "Zed", metadata: { ...common, client_name: "Zed", redirect_uris: ["http://127.0.0.1:39007/callback"] } },
  {
    name: "MCP Inspector",
    metadata: {
      ...common,
      client_name: "MCP Inspector",
      client_uri: "https://github.com/modelcontextprotocol/inspector",
      redirect_uris: ["http://localhost:6274/oauth/callback"],
      scope: "read:tools",
    },
    origin: "http://localhost:6274",
    // The TypeScript SDK sends `new URL(resource).href`.
    resource: "https://tools.example.test/",
  },
  {
    name: "the TypeScript SDK with a secret",
    metadata: {
      client_name: "Server",
      redirect_uris: ["https://agent.example.test/callback"],
      grant_types: forUsers,
      response_types: ["code"],
    },
    resource: "https://tools.example.test/",
  },
  {
    name: "ChatGPT",
    metadata: {
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
      grant_types: forUsers,
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_basic",
      token_endpoint_auth_methods_supported: ["client_secret_basic", "none"],
    },
  },
];
