import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteFiles } from "@postern/kysely/tenants";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { createIsolationCases, type IsolationOptions } from "@postern/testing/isolation";
import { afterAll, describe, test } from "vitest";
import { openInstallation } from "../../packages/testing/test/isolation/installation.ts";

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

const at = (host: string) => ({ issuer: `https://${host}/` });

/** The ways to store tenants and to route requests to them. */
const setups: { readonly [way: string]: () => Promise<IsolationOptions> } = {
  "with a SQLite file for each tenant": async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-isolation-"));
    closing.push(() => rm(folder, { recursive: true }));
    const files = createSqliteFiles({ folder });
    const data = await openDatabase("sqlite::memory:");
    await data.migrate();
    for (const id of ["acme", "globex"]) await files.provision(id);
    const { tenant, ...installation } = await openInstallation({
      data,
      databaseIsolation: { getAdapters: async (id) => (id === "main" ? data : files.open(id)) },
    });
    closing.push(
      () => data.close(),
      () => installation.postern.close(),
    );
    return { ...installation, owner: await tenant("acme"), stranger: await tenant("globex") };
  },
  "with subdomain routing": async () => {
    const { tenant, ...installation } = await openInstallation({
      subdomainRouting: { baseDomain: "id.example.test", useOrganizations: false },
    });
    const [owner, stranger] = [await tenant("acme", at("acme.id.example.test")), await tenant("globex", at("globex.id.example.test"))];
    return { ...installation, owner, stranger };
  },
  "with custom domains": async () => {
    const data = createMemoryAdapter();
    const { tenant, ...installation } = await openInstallation({ data });
    const [owner, stranger] = [await tenant("acme", at("login.acme.example")), await tenant("globex", at("login.globex.example"))];
    for (const { id, issuer } of [owner, stranger]) await insertDomain(data, id, new URL(issuer).hostname);
    return { ...installation, owner, stranger };
  },
  "which is the control plane": async () => {
    const { tenant, ...installation } = await openInstallation();
    return { ...installation, owner: await tenant("acme"), stranger: await tenant("main") };
  },
};

describe.each(Object.entries(setups))("data of one tenant is inaccessible to another, %s:", async (_, open) => {
  for (const { name, run } of await createIsolationCases(await open())) test(name, run);
});

/** Inserts a verified custom domain. */
async function insertDomain({ collections }: ReturnType<typeof createMemoryAdapter>, tenantId: string, domain: string): Promise<void> {
  const now = Date.now();
  await collections.directory.insert([{ kind: "host", value: domain, tenant_id: tenantId, created_at: now }]);
  const row = {
    id: `cd_${domain}`,
    domain,
    type: "self_managed_certs",
    status: "ready",
    is_default: false,
    verification: {},
    settings: {},
  };
  await collections.custom_domains.insert([
    { ...row, tenant_id: tenantId, revision: 0, created_at: now, updated_at: now, verified_at: now, expires_at: null },
  ]);
}
