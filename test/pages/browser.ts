import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from "playwright-core";

const executablePath = process.env["POSTERN_TEST_CHROMIUM"] ?? "/usr/bin/chromium";

/** Resolves every host below `.test` to this machine. The last `--host-resolver-rules` of a browser counts. */
export const resolvesHosts = "--host-resolver-rules=MAP *.test 127.0.0.1";

const args: readonly string[] = [
  resolvesHosts,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The environment variable with the URL of the browser that all test files share. {@link shareBrowser} sets it. */
const sharedBrowser = "POSTERN_TEST_BROWSER";

/**
 * Connects to the shared browser. With other arguments, or without a shared browser, starts a separate browser process.
 * Closing the browser closes the pages that were opened in it.
 */
export function launchBrowser(more: readonly string[] = [], without: readonly string[] = []): Promise<Browser> {
  const shared = process.env[sharedBrowser];
  if (shared !== undefined && more.length === 0 && without.length === 0) return chromium.connect(shared);
  return chromium.launch({ executablePath, args: [...args, ...more], ignoreDefaultArgs: [...without] });
}

/** Starts the browser that all test files share, if Chromium is installed. @returns stops it. */
export async function shareBrowser(): Promise<() => Promise<void>> {
  if (!existsSync(executablePath)) return async () => {};
  const server = await chromium.launchServer({ executablePath, args: [...args], host: "127.0.0.1" });
  process.env[sharedBrowser] = server.wsEndpoint();
  return () => server.close();
}

/** Starts a browser process with a profile on disk, which outlives it. */
export function openProfile(folder: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...options, executablePath, args: [...args] });
}
