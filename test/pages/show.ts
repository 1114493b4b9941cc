import type { BrowserContext, Page } from "playwright-core";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { nonce, type Exhibit } from "./gallery.ts";
import { pictureAt, pictures } from "./pictures.ts";

/** The folder for screenshots, which Git ignores. */
export const screenshots = new URL("screenshots/", import.meta.url).pathname;

/** The window sizes in which pages are rendered. */
export const windows = [
  [320, 640],
  [1280, 800],
] as const;

/** The color schemes in which pages are rendered. */
export const colorSchemes = ["light", "dark"] as const;

const host = "https://login.example.test";

/** A page in a browser, with the error messages in its console and the URLs of its requests to other hosts. */
export interface ShownPage {
  readonly page: Page;
  readonly refused: readonly string[];
  readonly asked: readonly string[];
}

/**
 * Opens a browser page that shows one response after the other, as if the login host had sent it. A new page for each
 * response would take several times as long.
 */
export async function openViewer(context: BrowserContext): Promise<(response: Response) => Promise<ShownPage>> {
  const page = await context.newPage();
  let refused: string[] = [];
  let asked: string[] = [];
  let sent: { readonly status: number; readonly headers: { [name: string]: string }; readonly body: string };
  page.on("console", (message) => void (message.type() === "error" && refused.push(message.text())));
  page.on("request", (request) => void (request.url().startsWith(host) || asked.push(request.url())));
  await page.route(/.*/, async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    if (origin === pictures) await route.fulfill({ contentType: "image/svg+xml", body: pictureAt(pathname) });
    else if (origin === host && pathname === "/u/login") await route.fulfill(sent);
    else await route.abort();
  });
  return async (response) => {
    sent = { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    [refused, asked] = [[], []];
    await page.goto(`${host}/u/login`);
    return { page, refused, asked };
  };
}

/** Opens a response in a new browser page. */
export async function show(context: BrowserContext, response: Response): Promise<ShownPage> {
  return (await openViewer(context))(response);
}

/** Returns an exhibit as an HTTP response from the login host. */
export function exhibitResponse(exhibit: Exhibit, locale: string, change: (html: string) => string = (html) => html): Response {
  const { html, images, fonts, script } = exhibit.draw(locale);
  return htmlResponse(change(html), { nonce, images, fonts, script });
}

/** Saves a screenshot of the whole page. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true, animations: "disabled" });
}
