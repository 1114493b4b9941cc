import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext } from "playwright-core";
import { resolvesHosts } from "./secure.ts";

/**
 * A browser of somebody who lets other sites keep cookies: what silent login in a frame needs, where app and login are on different sites.
 * Chromium refuses them by default here, and only a profile of its own can say otherwise.
 */
export async function openTolerantBrowser(): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), "postern-browser-"));
  mkdirSync(join(folder, "Default"));
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
  writeFileSync(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env["POSTERN_TEST_CHROMIUM"] ?? "/usr/bin/chromium",
    ignoreHTTPSErrors: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      resolvesHosts,
    ],
  });
  // The browser's processes may still be writing their last files when the context says that it is closed.
  context.on("close", () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return context;
}
