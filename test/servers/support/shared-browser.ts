/** Vitest's global setup for `test/servers`: one browser process for all files. */
export { shareBrowser as setup } from "../../pages/browser.ts";
