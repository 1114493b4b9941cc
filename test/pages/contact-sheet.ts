/**
 * Renders every page and every mail in Chromium, in narrow and wide windows, in light and dark mode, and combines the
 * screenshots on contact sheets. The argument selects a language; the default is English:
 *
 *     pnpm contact-sheet de
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import "../../scripts/tsx.ts";
import { launchBrowser } from "./browser.ts";

const { formPosts, gallery } = await import("./gallery.ts");
const { mails, mailWindows } = await import("./mails.ts");
const { colorSchemes, saveScreenshot, screenshots, exhibitResponse, show, windows } = await import("./show.ts");

/** The number of exhibits on a sheet. Each exhibit has four screenshots. */
const exhibitsPerSheet = 5;
const [locale = "en"] = process.argv.slice(2);
const exhibits = [
  ...[...gallery, ...formPosts].map((exhibit) => ({ name: exhibit.name, windows, response: async () => exhibitResponse(exhibit, locale) })),
  ...mails.map((mail) => ({ name: mail.name, windows: mailWindows, response: () => mail.response(locale) })),
];

await rm(screenshots, { recursive: true, force: true });
await mkdir(screenshots, { recursive: true });
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  for (const exhibit of exhibits) {
    const { page } = await show(context, await exhibit.response());
    for (const [width, height] of exhibit.windows) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of colorSchemes) {
        await page.emulateMedia({ colorScheme });
        await saveScreenshot(page, pictureName(exhibit.name, colorScheme, width));
      }
    }
    await page.close();
  }
  const index = join(screenshots, "index.html");
  await writeFile(index, sheets());
  const page = await browser.newPage({ viewport: { width: 1480, height: 1000 } });
  await page.goto(pathToFileURL(index).href);
  for (const [number, sheet] of (await page.locator("section").all()).entries()) {
    await sheet.screenshot({ path: join(screenshots, `sheet-${String(number + 1).padStart(2, "0")}.png`) });
  }
  console.log(`${exhibits.length} pages and mails in four screenshots each: ${index}, and contact sheets in the same folder`);
} finally {
  await browser.close();
}

function pictureName(exhibit: string, colorScheme: string, width: number): string {
  return `${exhibit}-${colorScheme}-${width}-${locale}`;
}

/** Returns all sheets as one HTML document. Long screenshots are cut; each links to the complete screenshot. */
function sheets(): string {
  const figures = exhibits.map(({ name, windows: shownIn }) => {
    const names = shownIn.flatMap(([width]) => colorSchemes.map((scheme) => [width, pictureName(name, scheme, width)] as const));
    const links = names.map(([width, file]) => `<a href="${file}.png"><img src="${file}.png" class="w${width}" alt="${file}"></a>`);
    return `<figure><figcaption>${name}</figcaption>${links.join("")}</figure>`;
  });
  const sections = Array.from(
    { length: Math.ceil(figures.length / exhibitsPerSheet) },
    (_, index) => `<section>${figures.slice(index * exhibitsPerSheet, (index + 1) * exhibitsPerSheet).join("")}</section>`,
  );
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Contact sheet</title><style>
body{margin:0;font:600 16px system-ui,sans-serif;background:#8a8f99}section{padding:8px}
figure{display:flex;flex-wrap:wrap;gap:12px;align-items:start;margin:0 0 16px}figcaption{flex-basis:100%}
img{display:block;object-fit:cover;object-position:top}.w320{width:240px;height:420px}.w600{width:394px;height:420px}.w1280{width:464px;height:420px;object-fit:contain}
</style>${sections.join("")}</html>`;
}
