/** The pages of the site, grouped by their readers. A test compares the list with the folder. */
export const groups: readonly Group[] = [
  {
    text: "Evaluate",
    pages: ["first-app", "concepts", "security", "performance", "move-from-auth0", "move-from-auth-js", "move-from-better-auth"],
  },
  {
    text: "Build",
    pages: [
      "embedding",
      "frameworks",
      "issuer",
      "seed",
      "management-token",
      "app-session",
      "back-channel-logout",
      "mcp",
      "log-in-from-your-app",
      "devices",
      "in-process-api",
      "roles",
      "agents",
      "registration",
      "pushed-requests",
      "request-objects",
      "userinfo",
      "dpop",
      "fapi",
      "certification",
      "organizations",
      "mail-and-sms",
      "mail-templates",
      "passwords",
      "passwordless",
      "second-factors",
      "passkeys",
      "account-page",
      "connections",
      "provider-options",
      "account-linking",
      "actions",
      "import-users",
      "database-sharing",
      "adapter-guide",
      "testing",
    ],
  },
  { text: "Your own screens", pages: ["login-pages", "mfa-api", "my-account-api", "passkey-api"] },
  {
    text: "Operate",
    pages: [
      "deploy",
      "admin-console",
      "support-staff",
      "operations",
      "monitoring",
      "telemetry",
      "errors",
      "keys",
      "backup-and-upgrade",
      "rate-limits",
      "log-streams",
      "databases",
      "cloudflare-d1",
      "deploy-cli",
      "terraform",
    ],
  },
  { text: "Operate many tenants", pages: ["tenants", "tenant-inheritance", "tenant-databases", "tenant-isolation"] },
  {
    text: "Audit",
    pages: [
      "security-scopes",
      "security-management-api",
      "security-sign-in",
      "security-second-factors",
      "security-identity-providers",
      "security-protocol",
      "security-tenants",
      "security-data",
    ],
  },
  {
    text: "Reference",
    pages: [
      "reference/options",
      "reference/auth-api",
      "reference/my-account-api",
      "reference/management-api",
      "reference/settings",
      "reference/texts",
      "reference/auth0-endpoints",
    ],
  },
];

/** Words that readers search for and that the text of a guide does not contain, or not often enough to be found first. */
export const keywords: { readonly [page: string]: readonly string[] } = {
  "second-factors": ["mfa", "2fa", "two-factor", "totp", "guardian"],
  "app-session": ["logout", "login", "session", "signout"],
  "log-in-from-your-app": ["cors", "spa", "sdk"],
  roles: ["rbac", "roles", "permissions"],
  organizations: ["invite", "invitation"],
  deploy: ["docker", "container", "kubernetes", "dockerfile"],
  operations: ["checklist"],
  databases: ["postgres", "mysql", "sqlite", "galera", "pgbouncer", "failover"],
  performance: ["sizing", "benchmark", "memory"],
};

/**
 * Returns the factor by which the search ranks a section: guides before those for custom screens and the list of errors,
 * and these before the reference and the pages for auditors. The site sends the text of this function to the browser, so it uses no name
 * outside of it.
 * @param id the URL of the section, such as `/second-factors#steps`.
 */
export function rankOf(id: string): number {
  if (/^\/(reference\/|security)/.test(id)) return 0.1;
  return /^\/((mfa|passkey)-api|errors)/.test(id) ? 0.5 : 1;
}

/** Returns the anchor of a heading. The site and the repository use the same anchors, so that links work in both. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** A group of pages below one heading of the sidebar. */
interface Group {
  readonly text: string;
  /** Paths below `docs/`, without `.md`. The title of a page is its first heading. */
  readonly pages: readonly string[];
}
