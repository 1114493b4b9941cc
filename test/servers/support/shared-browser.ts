/** Vitest's global setup of the tests beside servers: one browser process for all files. */
export { shareBrowser as setup } from "../../pages/browser.ts";
