/** The pages of the site, in the order in which somebody reads them. A test holds the list against the folder. */
export const groups: readonly Group[] = [
  { text: "Begin", pages: ["first-app", "concepts", "log-in-from-your-app", "embedding", "app-session", "in-process-api", "testing"] },
  {
    text: "How people sign in",
    pages: ["connections", "actions", "import-users", "move-from-auth0", "move-from-auth-js", "move-from-better-auth"],
  },
  {
    text: "Run it",
    pages: ["databases", "adapter-guide", "operations", "rate-limits", "log-streams", "tenants", "security", "performance", "errors"],
  },
  {
    text: "Look up",
    pages: [
      "reference/options",
      "reference/auth-api",
      "reference/management-api",
      "reference/settings",
      "reference/texts",
      "reference/auth0-endpoints",
    ],
  },
];

/** What a heading is linked by: on the site as in the repository, so that one link leads there in both. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Pages that stand below one heading. */
export interface Group {
  readonly text: string;
  /** Paths below `docs/`, without `.md`. What a page is called is its first heading. */
  readonly pages: readonly string[];
}
