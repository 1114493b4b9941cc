import type { ClientGrant, TenantApi } from "../in-process/api.ts";
import type { SeededClient } from "./seed-client.ts";
import { asInput, holds, note, reconcile, type Progress } from "./reconcile.ts";
import type { SeedClient } from "./seed.ts";

/** Compares a client that was there with what the code says, and gives it what it may ask for. */
export async function reconcileClient(api: TenantApi, progress: Progress, seed: SeedClient, seeded: SeededClient): Promise<void> {
  const { clientId, settings, sync = false } = seed;
  const subject = `client '${clientId}'`;
  if (seeded.isNew) progress.created.push(subject);
  const stored = new Map<string, unknown>(Object.entries(seeded.stored));
  // Shown as they are stored: an address may have been given in another spelling.
  const asked = new Map<string, unknown>(Object.entries(seeded.asked));
  const differing = Object.keys(settings).filter((name) => asked.has(name) && !holds(stored.get(name), asked.get(name)));
  const changes = Object.fromEntries(Object.entries(settings).filter(([name]) => differing.includes(name)));
  if (sync) {
    if (differing.length > 0) await asInput(subject, () => api.clients.update(clientId, changes));
    if (differing.length > 0 || seeded.hasOtherSecret) note(progress.changed, subject);
    return;
  }
  for (const field of differing) progress.differences.push({ subject, field, stored: stored.get(field), wanted: asked.get(field) });
  if (seeded.hasOtherSecret) progress.differences.push({ subject, field: "secret" });
}

/** Gives a client its client grants, when the APIs that they are for are there. */
export async function seedGrants(api: TenantApi, progress: Progress, { clientId, grants = {}, sync = false }: SeedClient): Promise<void> {
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
