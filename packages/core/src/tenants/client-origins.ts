import type { RegisteredClient } from "../model/clients/client.ts";

/** Returns the origins that belong to a client: its registered origins and the origins of its callback URLs. */
export function originsOfClient({ record: { web_origins, allowed_origins, callbacks } }: RegisteredClient): readonly string[] {
  return [...web_origins, ...allowed_origins, ...callbacks.map(originOf)];
}

/** Returns the origins of a client's callback URLs. They can contain a wildcard. */
export function callbackOriginsOf({ record: { callbacks } }: RegisteredClient): readonly string[] {
  return callbacks.map(originOf).filter((origin) => origin !== "");
}

/**
 * Returns the origin of a URL; an empty string if it has none, such as a URL with a custom scheme. `URL` reports such
 * an origin as `null`, which is also the origin of every sandboxed page.
 */
function originOf(url: string): string {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? "" : origin;
}
