import { corsHeaders, corsOf, preflight, readableByAny } from "../http/cors.ts";
import type { Draft } from "../http/response.ts";
import type { RoutedEntry } from "../routing.ts";
import type { Router } from "../http/router.ts";
import type { Progress } from "./progress.ts";

/** The headers that say which scripts may read an answer. What any may read says so to whoever asks: a shared cache hands it to browsers. */
export async function readers(progress: Progress, origin: string | null): Promise<{ readonly [name: string]: string }> {
  const kind = progress.route === undefined ? "none" : corsOf(progress.route.definition);
  if (kind === "any") return readableByAny;
  // Whose script it is, is asked only where one asks.
  return origin === null ? {} : corsHeaders(origin, kind === "none" ? [] : await originsOf(progress));
}

/** The answer to a browser that asks whether a script may send a request; undefined for any other request, and where no script may. */
export function answerPreflight(router: Router<RoutedEntry>, path: string, request: Request): Draft | Response | undefined {
  if (request.method !== "OPTIONS") return undefined;
  const origin = request.headers.get("origin");
  const asked = request.headers.get("access-control-request-method");
  if (origin === null || asked === null || corsOf(router.find(asked, path).entry.route.definition) === "none") return undefined;
  return preflight(origin, [asked]);
}

/**
 * The origins of the client that authenticated, that the token was issued to, or that the request names: a client that cannot prove itself is told so, and where nobody has to,
 * the answer is for the client that was named.
 */
async function originsOf({ tenant, client, caller, person, presentedId }: Progress): Promise<readonly string[]> {
  const clientId = (caller ?? person)?.clientId ?? presentedId;
  // A store that fails has refused the request already: that is what is told.
  const found = client ?? (clientId === undefined ? undefined : await tenant?.client(clientId).catch(() => undefined));
  if (found === undefined) return [];
  const { web_origins, allowed_origins, callbacks } = found.record;
  return [...web_origins, ...allowed_origins, ...callbacks.map(originOf)];
}

/** Empty for what has none, such as a scheme of an app's own: `null` is what every sandboxed page calls itself. */
function originOf(url: string): string {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? "" : origin;
}
