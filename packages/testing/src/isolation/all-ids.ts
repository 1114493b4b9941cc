import type { Room } from "./definition.ts";
import { parametersOf } from "./records.ts";

/** Names that a tenant chooses, or that all know: another may have the same. */
const chosen = new Set([
  "/api/v2/email-templates/{}",
  "/api/v2/users/{}/identities/{}",
  "/api/v2/organizations/name/{}",
  "/api/v2/prompts/{}",
  "/api/v2/prompts/{}/custom-text/{}",
  "/api/v2/prompts/{}/screen/{}",
]);

/** The id of one record of the owner's at every place that a path can name. */
export async function allIds({ management, theirs }: Room): Promise<ReadonlySet<string>> {
  const places = management.operations.flatMap(({ path }) => parametersOf(path).map(({ place }) => place));
  const ids = new Set<string>();
  for (const place of new Set(places)) if (place.startsWith("/api/v2/") && !chosen.has(place)) ids.add(await theirs.id(place));
  return ids;
}
