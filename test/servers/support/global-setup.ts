import { shareBrowser } from "../../pages/browser.ts";
import { shareFolder } from "./shared-folder.ts";

/** Vitest's global setup for `test/servers`: one browser process and one folder for all files. */
export async function setup(): Promise<() => Promise<void>> {
  const deleteFolder = shareFolder();
  const closeBrowser = await shareBrowser();
  return async () => {
    await closeBrowser();
    deleteFolder();
  };
}
