import type { Client } from "../model/clients/client.ts";

/** The origins whose scripts belong to a client: what it names as such, and where its callbacks are. */
export function originsOfClient({ record: { web_origins, allowed_origins, callbacks } }: Client): readonly string[] {
  return [...web_origins, ...allowed_origins, ...callbacks.map(originOf)];
}

/** Empty for what has none, such as a scheme of an app's own: `null` is what every sandboxed page calls itself. */
function originOf(url: string): string {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? "" : origin;
}
