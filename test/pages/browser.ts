import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from "playwright-core";

const executablePath = process.env["POSTERN_TEST_CHROMIUM"] ?? "/usr/bin/chromium";

const args: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The system's browser, which talks to nobody but the test. @param without arguments of Playwright's own that are left out. */
export function launchBrowser(more: readonly string[] = [], without: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...args, ...more], ignoreDefaultArgs: [...without] });
}

/** The same browser with a profile on disk, which outlives it. */
export function openProfile(folder: string, more: readonly string[], options: BrowserContextOptions = {}): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...options, executablePath, args: [...args, ...more] });
}
