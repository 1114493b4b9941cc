import { PosternError } from "../../errors.ts";
import type { OpenTenant } from "../in-process/in-process.ts";
import { findTenant, type Installation } from "../../tenants/installation.ts";
import { seedTenant } from "./seed-tenant.ts";
import { reconcileClient, seedGrants } from "./clients.ts";
import { SeedProgress } from "./reconcile.ts";
import type { Seed, SeedReport } from "./seed.ts";
import { seedUser } from "./users.ts";
import { seedApi, seedRole, seedConnection } from "./records.ts";
import { seedOrganization } from "./organizations.ts";
import { seedExternalClients } from "./external-clients.ts";
import { seedPasskeys } from "./passkeys.ts";
import { seedSecondFactors } from "./second-factors.ts";

/**
 * The names of all members of a {@link Seed}. Other names are rejected, because a misspelled member would have no
 * effect.
 */
const members: { readonly [Name in keyof Required<Seed>]: true } = {
  tenantId: true,
  name: true,
  domains: true,
  user: true,
  users: true,
  apis: true,
  roles: true,
  connections: true,
  clients: true,
  organizations: true,
  secondFactors: true,
  passkeys: true,
  externalClients: true,
};

/**
 * Applies a seed. Each part comes after the parts that it depends on. @throws {PosternError} `configuration_error` that
 * names the invalid part.
 */
export async function applySeed(installation: Installation, tenant: OpenTenant, seed: Seed): Promise<SeedReport> {
  const unknown = Object.keys(seed).find((name) => !Object.hasOwn(members, name));
  if (unknown !== undefined)
    throw new PosternError(
      "configuration_error",
      `postern.seed: unknown member '${unknown}'; expected one of ${Object.keys(members).join(", ")}`,
    );
  const { tenantId, apis = [], roles = [], connections = [], clients = [], organizations = [], user, users = [] } = seed;
  const { secondFactors, passkeys, externalClients } = seed;
  const progress = new SeedProgress();
  const isNewTenant = (await findTenant(installation, tenantId)) === undefined;
  const seeded = await seedTenant(installation, seed);
  const api = tenant(tenantId, { name: "seed" });
  for (const [index, client] of clients.entries()) {
    const outcome = seeded[index];
    if (outcome !== undefined) await reconcileClient(api, progress, client, outcome);
  }
  if (apis.length + roles.length + connections.length > 0) {
    for (const one of connections) await seedConnection(api, progress, one);
    for (const one of apis) await seedApi(api, progress, one);
    for (const one of roles) await seedRole(api, progress, one);
  }
  if (passkeys !== undefined) await seedPasskeys(api, progress, passkeys, isNewTenant);
  if (secondFactors !== undefined) await seedSecondFactors(api, progress, secondFactors, isNewTenant);
  if (externalClients !== undefined) await seedExternalClients(api, progress, externalClients, isNewTenant);
  for (const client of clients) await seedGrants(api, progress, client);
  for (const one of user === undefined ? users : [user, ...users]) await seedUser(installation, api, progress, tenantId, one);
  if (organizations.length > 0) {
    for (const one of organizations) await seedOrganization(api, progress, one);
  }
  for (const { subject, field } of progress.differences) {
    installation.host.logger.log({
      level: "warn",
      event: "seed_differs",
      tenant_id: tenantId,
      message: `the stored '${field}' of ${subject} differs from the seed: change one of them, or set 'sync: true' in the seed`,
    });
  }
  return progress;
}
