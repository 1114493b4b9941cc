import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { groups } from "../../docs/.vitepress/pages.ts";
import { launchBrowser } from "../pages/browser.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { npmEnv } from "./support/packed.ts";

const site = join(import.meta.dirname, "../../docs/.vitepress");
const run = promisify(execFile);

/** Words that newcomers search for, with the guide that the search finds first. */
const searches = {
  mfa: "/second-factors",
  "2fa": "/second-factors",
  cors: "/log-in-from-your-app",
  logout: "/back-channel-logout",
  invite: "/organizations",
  rbac: "/roles",
  docker: "/deploy",
};

test("the documentation builds as a site without dead links, whose search finds guides", { timeout: 500_000 }, async ({ skip }) => {
  const out = mkdtempSync(join(tmpdir(), "postern-docs-"));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const install = ["-y", "pnpm@12", "install", "--frozen-lockfile"];
  await fromRegistry("VitePress", skip, () => run("npx", install, { cwd: site, env: npmEnv }));

  await run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build", "..", "--outDir", out], {
    cwd: site,
    env: npmEnv,
  }).catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${failure.stdout}\n${failure.stderr}`);
  });
  for (const page of ["index", ...groups.flatMap(({ pages }) => pages)]) expect(existsSync(join(out, `${page}.html`)), page).toBe(true);
  // Links to code lead to the repository.
  expect(readFileSync(join(out, "embedding.html"), "utf8")).toContain('href="https://github.com/postern/postern/tree/main/examples"');

  const url = await serve(out);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const [foreign, failed]: [string[], string[]] = [[], []];
  page.on("request", (request) => void (request.url().startsWith(url) || request.url().startsWith("data:") || foreign.push(request.url())));
  page.on("response", (response) => void (response.ok() || failed.push(response.url())));
  await page.goto(`${url}/`);
  await page.goto(`${url}/second-factors`);
  const icon = await page.locator("link[rel=icon]").getAttribute("href");
  expect((await page.request.get(`${url}${icon}`)).ok()).toBe(true);
  // Only the group of the current page is open.
  expect(await page.locator(".VPSidebarItem.level-0:not(.collapsed)").count()).toBe(1);

  const search = page.locator("#localsearch-input");
  await page.keyboard.press("Control+k");
  for (const [word, guide] of Object.entries(searches)) {
    await search.fill(word);
    const first = page.locator("a.result").first();
    await expect.poll(async () => (await first.getAttribute("href"))?.replace(/#.*/, ""), { timeout: 20_000, message: word }).toBe(guide);
  }
  // The word is in decisions only.
  await search.fill("oxlint");
  await page.locator(".no-results").waitFor();
  expect([foreign, failed]).toEqual([[], []]);
});

const contentTypes: { readonly [extension: string]: string } = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** Serves a folder, with `/page` for `page.html`. @returns the origin. */
async function serve(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const name = pathname === "/" ? "/index.html" : extname(pathname) === "" ? `${pathname}.html` : decodeURIComponent(pathname);
    const file = join(folder, name);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": contentTypes[extname(file)] ?? "application/octet-stream" }).end(readFileSync(file));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
