import type { ClientGrant, TenantApi } from "../in-process/api.ts";
import type { SeededClient } from "./seed-client.ts";
import { addOnce, validateAsInput, matchesSeed, reconcile, type SeedProgress } from "./reconcile.ts";
import type { SeedClient } from "./seed.ts";

/** Compares an existing client with the seed, and updates it if `sync` is set. */
export async function reconcileClient(api: TenantApi, progress: SeedProgress, seed: SeedClient, seeded: SeededClient): Promise<void> {
  const { clientId, settings, sync = false } = seed;
  const subject = `client '${clientId}'`;
  if (seeded.isNew) progress.created.push(subject);
  const stored = new Map<string, unknown>(Object.entries(seeded.stored));
  // The seed's values in their stored format, because a URL may be spelled differently in the seed.
  const wanted = new Map<string, unknown>(Object.entries(seeded.wanted));
  const differing = Object.keys(settings).filter((name) => wanted.has(name) && !matchesSeed(stored.get(name), wanted.get(name)));
  const changes = Object.fromEntries(Object.entries(settings).filter(([name]) => differing.includes(name)));
  if (sync) {
    if (differing.length > 0) await validateAsInput(subject, () => api.clients.update(clientId, changes));
    if (differing.length > 0 || seeded.hasOtherSecret) addOnce(progress.changed, subject);
    return;
  }
  for (const field of differing) progress.differences.push({ subject, field, stored: stored.get(field), wanted: wanted.get(field) });
  if (seeded.hasOtherSecret) progress.differences.push({ subject, field: "secret" });
}

/** Creates the client grants that a seed defines for a client. The APIs that they are for must exist. */
export async function seedGrants(
  api: TenantApi,
  progress: SeedProgress,
  { clientId, grants = {}, sync = false }: SeedClient,
): Promise<void> {
  for (const [audience, scope] of Object.entries(grants)) {
    await reconcile<ClientGrant>(progress, {
      subject: `grant of client '${clientId}' for '${audience}'`,
      fields: { scope },
      sync,
      find: async () => (await api.clientGrants.list({ client_id: clientId, audience, subject_type: "client" }))[0],
      create: () => api.clientGrants.create({ client_id: clientId, audience, scope }),
      update: ({ id }, fields) => api.clientGrants.update(id, fields),
    });
  }
}
