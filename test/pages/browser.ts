import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from "playwright-core";

const executablePath = process.env["POSTERN_TEST_CHROMIUM"] ?? "/usr/bin/chromium";

/**
 * The browser argument that resolves every host under `.test` to this machine. If a browser has several
 * `--host-resolver-rules`, the last one has an effect.
 */
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

/** In milliseconds. A slow machine needs longer than Playwright's 30 s for a page that `next dev` compiles first. */
const pageTimeout = 90_000;

/** The environment variable with the URL of the browser that all test files share. {@link shareBrowser} sets it. */
const sharedBrowser = "POSTERN_TEST_BROWSER";

/**
 * Connects to the shared browser. Starts a separate browser process if there is no shared browser, or if the arguments
 * are not the default ones. When the returned browser is closed, only the pages that it opened are closed.
 */
export async function launchBrowser(more: readonly string[] = [], without: readonly string[] = []): Promise<Browser> {
  const shared = process.env[sharedBrowser];
  const browser = await (shared !== undefined && more.length === 0 && without.length === 0
    ? chromium.connect(shared)
    : chromium.launch({ executablePath, args: [...args, ...more], ignoreDefaultArgs: [...without] }));
  browser.on("context", (context) => context.setDefaultTimeout(pageTimeout));
  return browser;
}

/**
 * Starts the browser that all test files share, if Chromium is installed. @returns a function that stops the browser.
 */
export async function shareBrowser(): Promise<() => Promise<void>> {
  if (!existsSync(executablePath)) return async () => {};
  const server = await chromium.launchServer({ executablePath, args: [...args], host: "127.0.0.1" });
  process.env[sharedBrowser] = server.wsEndpoint();
  return () => server.close();
}

/** Starts a browser process with a profile on disk. The profile remains when the process has ended. */
export async function openProfile(folder: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(folder, { ...options, executablePath, args: [...args] });
  context.setDefaultTimeout(pageTimeout);
  return context;
}
