import { mkdir } from "node:fs/promises";
import "../../scripts/tsx.ts";
import { launchBrowser } from "./browser.ts";
const { gallery } = await import("./gallery.ts");
const { exhibitResponse, show } = await import("./show.ts");
await mkdir("/tmp/shots", { recursive: true });
const browser = await launchBrowser();
const context = await browser.newContext({ reducedMotion: "reduce" });
const wanted = process.argv[3] ? process.argv[3].split(",") : ["account-security", "account-security-endless", "account-remove-last", "account-closed-sign-in-again", "link-undo", "account-security-frozen"];
for (const exhibit of gallery.filter(({ name }) => wanted.includes(name))) {
  for (const locale of (process.argv[2] ?? "en,ar").split(",")) {
    const { page } = await show(context, await exhibitResponse(exhibit, locale));
    for (const [w, h] of [[320, 640], [1280, 800]] as const) for (const colorScheme of ["light", "dark"] as const) {
      if (colorScheme === "dark" && exhibit.name !== "account-security") continue;
      await page.setViewportSize({ width: w, height: h });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `/tmp/shots/${exhibit.name}-${locale}-${w}-${colorScheme}.png`, fullPage: true });
    }
    await page.close();
  }
}
await browser.close();
