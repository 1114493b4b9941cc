/**
 * Writes the pictures in `docs/public`, in light and dark mode, from the running standalone example: `pages-*.png` for
 * the README, with three pages next to each other, and `login-*.png` for the home page of the documentation.
 *
 *     pnpm picture
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser, Page } from "playwright-core";
import type { ReadyLine } from "../standalone/start.ts";
import { launchBrowser } from "./browser.ts";

/** The window of one page, in CSS pixels. */
const size = { width: 400, height: 600 };
const example = join(import.meta.dirname, "../../examples/standalone");
const folder = mkdtempSync(join(tmpdir(), "postern-picture-"));

execFileSync(process.execPath, [join(example, "build.js")]);
const server = spawn(process.execPath, [join(example, "run.js")], {
  cwd: folder,
  env: { PATH: process.env["PATH"], PORT: "0", DATABASE_URL: "memory:" },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const line = await new Promise<string>((resolve) => createInterface(server.stdout).once("line", resolve));
  const ready = JSON.parse(line) as ReadyLine;
  await configure(ready);
  const browser = await launchBrowser();
  try {
    for (const colorScheme of ["light", "dark"] as const) await draw(browser, ready, colorScheme);
  } finally {
    await browser.close();
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true });
}

/** Gives the tenant a name, passkeys, a button of a provider and a second factor. */
async function configure({ issuer, management_client: client, spa_client: app }: ReadyLine): Promise<void> {
  const body = { grant_type: "client_credentials", ...client, audience: `${issuer}api/v2/` };
  const { access_token: token } = await send<{ readonly access_token: string }>("POST", `${issuer}oauth/token`, body);
  const api = <Body = unknown>(method: string, path: string, content?: unknown): Promise<Body> =>
    send<Body>(method, `${issuer}api/v2/${path}`, content, token);
  await api("PATCH", "tenants/settings", { friendly_name: "Harbour" });
  await api("PATCH", `clients/${app.client_id}`, { name: "Harbour Shop" });
  for (const factor of ["otp", "webauthn-roaming", "recovery-code"]) await api("PUT", `guardian/factors/${factor}`, { enabled: true });
  await api("PUT", "guardian/policies", ["all-applications"]);
  const authentication_methods = { password: { enabled: true }, passkey: { enabled: true } };
  for (const { id, options } of await api<readonly Connection[]>("GET", "connections?strategy=auth0")) {
    await api("PATCH", `connections/${id}`, { options: { ...options, authentication_methods } });
  }
  const google = {
    name: "google-oauth2",
    strategy: "google-oauth2",
    options: { client_id: "harbour", client_secret: "only-for-a-picture" },
  };
  const added = await api<Connection>("POST", "connections", google);
  const path = `clients/${app.client_id}/connections`;
  const { connections: offered } = await api<{ readonly connections: readonly Connection[] }>("GET", path);
  await api(
    "PATCH",
    path,
    [...offered, added].map(({ id }) => id),
  );
}

interface Connection {
  readonly id: string;
  readonly options: object;
}

/** Sends a JSON request. @throws if the status is not a success. */
async function send<Body>(method: string, url: string, body: unknown, token?: string): Promise<Body> {
  const headers = { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json().catch(() => undefined)) as Body;
}

/** Signs the first user in, takes a screenshot of each page on the way, and writes the pictures. */
async function draw(browser: Browser, { issuer, user }: ReadyLine, colorScheme: "light" | "dark"): Promise<void> {
  const context = await browser.newContext({ viewport: size, colorScheme, deviceScaleFactor: 2, reducedMotion: "reduce" });
  const page = await context.newPage();
  const screenshots: string[] = [];
  const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

  await page.goto(issuer);
  await press("Sign in");
  await page.waitForURL(/\/u\/login/);
  screenshots.push(await screenshot(page));
  await page.getByRole("textbox").fill(user.email);
  await press("Continue");
  await page.locator("input[type=password]").fill(user.password);
  screenshots.push(await screenshot(page));
  await press("Sign in");
  await page.waitForLoadState();
  screenshots.push(await screenshot(page));
  await context.close();

  await writePicture(browser, `pages-${colorScheme}`, screenshots);
  await writePicture(browser, `login-${colorScheme}`, screenshots.slice(0, 1));
}

/** Writes screenshots next to each other as one picture with a transparent background. */
async function writePicture(browser: Browser, name: string, screenshots: readonly string[]): Promise<void> {
  const [gap, frame] = [24, 2];
  const viewport = { width: screenshots.length * (size.width + gap + frame) - gap, height: size.height + frame };
  const sheet = await browser.newPage({ viewport, deviceScaleFactor: 1.5 });
  const style = `body{margin:0;display:flex;gap:${gap}px}img{border:1px solid #8885;border-radius:16px}`;
  const images = screenshots.map((data) => `<img src="data:image/png;base64,${data}" width="${size.width}" height="${size.height}">`);
  await sheet.setContent(`<style>${style}</style>${images.join("")}`);
  await sheet.screenshot({ path: join(import.meta.dirname, `../../docs/public/${name}.png`), omitBackground: true });
  await sheet.close();
}

async function screenshot(page: Page): Promise<string> {
  return (await page.screenshot({ animations: "disabled", caret: "hide" })).toString("base64");
}
