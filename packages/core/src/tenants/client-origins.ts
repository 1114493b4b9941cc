import type { Client } from "../model/clients/client.ts";

/** Returns the origins whose scripts belong to a client: its registered origins and those of its callbacks. */
export function originsOfClient({ record: { web_origins, allowed_origins, callbacks } }: Client): readonly string[] {
  return [...web_origins, ...allowed_origins, ...callbacks.map(originOf)];
}

/**
 * Returns an empty string for a URL without an origin, such as a custom scheme. Its origin would be `null`, which is
 * also the origin of every sandboxed page.
 */
function originOf(url: string): string {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? "" : origin;
}
