import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { openProfile } from "../../pages/browser.ts";

/**
 * Opens a browser that accepts third-party cookies. Silent login in a frame needs them if the app and the login are on
 * different sites.
 * Chromium blocks them by default here, and only a separate profile can change that.
 */
export async function openThirdPartyCookieBrowser(): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), "postern-browser-"));
  mkdirSync(join(folder, "Default"));
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
  writeFileSync(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
  const context = await openProfile(folder, { ignoreHTTPSErrors: true });
  // The browser's processes may still write files after the context is closed. The operating system removes what is
  // left in its temporary folder.
  context.on("close", () => void rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined));
  return context;
}
