import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { openProfile } from "../../pages/browser.ts";

/**
 * A browser of somebody who lets other sites keep cookies: what silent login in a frame needs, where app and login are on different sites.
 * Chromium refuses them by default here, and only a profile of its own can say otherwise.
 */
export async function openTolerantBrowser(): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), "postern-browser-"));
  mkdirSync(join(folder, "Default"));
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
  writeFileSync(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
  const context = await openProfile(folder, { ignoreHTTPSErrors: true });
  // The browser's processes may still be writing their last files when the context says that it is closed: what is left then, the system's own cleaning takes.
  context.on("close", () => void rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined));
  return context;
}
