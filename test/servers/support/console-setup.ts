import type { Seed } from "@postern/core";
import { testUser } from "../../support/code-flow-fixtures.ts";

/** The paths of the consoles in the tests of frameworks. */
export const consolePaths = ["/", "/admin/", "/a/b/admin/"] as const;

/** Returns the options of a console at a URL, without its service and its sessions. */
export function consoleOptions(appUrl: string) {
  return { tenantId: "main", clientId: "console", appUrl, secret: "a-console-secret-0123456789-abcdefgh" };
}

/** Returns the seed of the client of consoles at these URLs, and of their operator. */
export function consoleSeed(...appUrls: readonly string[]): Seed {
  const callbacks = appUrls.map((appUrl) => `${appUrl}callback`);
  const settings = { name: "Console", token_endpoint_auth_method: "none" as const, callbacks };
  return { tenantId: "main", clients: [{ clientId: "console", settings }], user: { ...testUser, managesTenant: true } };
}
