import type { ShownClient } from "../resources.ts";
import type { ScreenRequest } from "../screen.ts";

/** Whether the callbacks of a client belong to this console. */
export function isConsole({ links, url }: ScreenRequest, callbacks: ShownClient["callbacks"]): boolean {
  const own = new URL(links.toRoot("callback"), url).pathname;
  return (callbacks ?? []).some((callback) => URL.canParse(callback) && new URL(callback).pathname === own);
}
