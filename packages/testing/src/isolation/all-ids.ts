import type { Fixture } from "./definition.ts";
import { parametersOf } from "./records.ts";

/** Paths whose parameter is a name that a tenant chooses, or a public name. Two tenants may use the same name. */
const sharedNames = new Set([
  "/api/v2/email-templates/{}",
  "/api/v2/users/{}/identities/{}",
  "/api/v2/users/{}/multifactor/{}",
  "/api/v2/actions/triggers/{}",
  "/api/v2/guardian/factors/{}",
  "/api/v2/organizations/name/{}",
  "/api/v2/prompts/{}",
  "/api/v2/prompts/{}/custom-text/{}",
  "/api/v2/prompts/{}/screen/{}",
]);

/** Returns one id for each kind of resource that a path can name. Each id belongs to a resource of the owner. */
export async function allIds({ management, ownerRecords }: Fixture): Promise<ReadonlySet<string>> {
  const places = management.operations.flatMap(({ path }) => parametersOf(path).map(({ place }) => place));
  const ids = new Set<string>();
  for (const place of new Set(places)) if (place.startsWith("/api/v2/") && !sharedNames.has(place)) ids.add(await ownerRecords.id(place));
  return ids;
}
