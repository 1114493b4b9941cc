import { corsHeaders, corsOf, preflight, readableByAny } from "../http/cors.ts";
import type { Draft } from "../http/response.ts";
import { originsOfClient } from "../tenants/client-origins.ts";
import type { RoutedEntry } from "./routing.ts";
import type { Router } from "../http/router.ts";
import type { Progress } from "./progress.ts";

/** The headers that say which scripts may read an answer. What any may read says so to whoever asks: a shared cache hands it to browsers. */
export async function readers(progress: Progress, origin: string | null): Promise<{ readonly [name: string]: string }> {
  const kind = progress.route === undefined ? "none" : corsOf(progress.route.definition);
  if (kind === "any") return readableByAny;
  // Whose script it is, is asked only where one asks.
  if (origin === null) return {};
  return corsHeaders(origin, kind === "none" ? [] : await originsOf(progress), progress.route?.definition.corsCredentials);
}

/** The answer to a browser that asks whether a script may send a request; undefined for any other request, and where no script may. */
export function answerPreflight(router: Router<RoutedEntry>, path: string, request: Request): Draft | Response | undefined {
  if (request.method !== "OPTIONS") return undefined;
  const origin = request.headers.get("origin");
  const asked = request.headers.get("access-control-request-method");
  if (origin === null || asked === null) return undefined;
  const { definition } = router.find(asked, path).entry.route;
  return corsOf(definition) === "none" ? undefined : preflight(origin, [asked], definition.corsCredentials);
}

/**
 * The origins of the client that authenticated, that the token was issued to, or that the request names: a client that cannot prove itself is told so, and where nobody has to,
 * the answer is for the client that was named.
 */
async function originsOf({ tenant, client, caller, person, presentedId }: Progress): Promise<readonly string[]> {
  const clientId = (caller ?? person)?.clientId ?? presentedId;
  // A store that fails has refused the request already: that is what is told.
  const found = client ?? (clientId === undefined ? undefined : await tenant?.client(clientId).catch(() => undefined));
  return found === undefined ? [] : originsOfClient(found);
}
