import type { BrowserContext, Page } from "playwright-core";
import { htmlResponse } from "../../packages/core/src/http/html.ts";
import { nonce, type Exhibit } from "./gallery.ts";
import { pictureAt, pictures } from "./pictures.ts";

/** Where browsers drop what is for looking at. Git ignores the folder. */
export const screenshots = new URL("screenshots/", import.meta.url).pathname;

/** The windows that pages are looked at in. */
export const windows = [
  [320, 640],
  [1280, 800],
] as const;

/** The color schemes that pages are looked at in. */
export const colorSchemes = ["light", "dark"] as const;

const host = "https://login.example.test";

/** A page that is shown, what its policy refused, and what it asked of others. */
export interface Shown {
  readonly page: Page;
  readonly refused: readonly string[];
  readonly asked: readonly string[];
}

/** Opens a page that shows a response as if our host had sent it. */
export async function show(context: BrowserContext, response: Response): Promise<Shown> {
  const page = await context.newPage();
  const refused: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && refused.push(message.text())));
  page.on("request", (request) => void (request.url().startsWith(host) || asked.push(request.url())));
  const body = await response.text();
  await page.route(/.*/, async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    if (origin === pictures) await route.fulfill({ contentType: "image/svg+xml", body: pictureAt(pathname) });
    else if (origin === host && pathname === "/u/login") {
      await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
    } else await route.abort();
  });
  await page.goto(`${host}/u/login`);
  return { page, refused, asked };
}

/** An exhibit as our host sends it. */
export function sent(exhibit: Exhibit, locale: string, change: (html: string) => string = (html) => html): Response {
  const { html, images, fonts, script } = exhibit.draw(locale);
  return htmlResponse(change(html), { nonce, images, fonts, script });
}

/** Keeps how the page looks. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true, animations: "disabled" });
}
