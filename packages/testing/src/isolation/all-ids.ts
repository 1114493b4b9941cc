import type { Fixture } from "./definition.ts";
import { parametersOf } from "./records.ts";

/** Paths whose parameters are names that a tenant chooses or that are public. Two tenants may have the same name. */
const sharedNames = new Set([
  "/api/v2/email-templates/{}",
  "/api/v2/users/{}/identities/{}",
  "/api/v2/organizations/name/{}",
  "/api/v2/prompts/{}",
  "/api/v2/prompts/{}/custom-text/{}",
  "/api/v2/prompts/{}/screen/{}",
]);

/** Returns the id of one of the owner's records for each kind of record that a path can name. */
export async function allIds({ management, ownerRecords }: Fixture): Promise<ReadonlySet<string>> {
  const places = management.operations.flatMap(({ path }) => parametersOf(path).map(({ place }) => place));
  const ids = new Set<string>();
  for (const place of new Set(places)) if (place.startsWith("/api/v2/") && !sharedNames.has(place)) ids.add(await ownerRecords.id(place));
  return ids;
}
