import type { Connection, Permission, ResourceServer, Role, TenantApi } from "../in-process/api.ts";
import type { JsonObject } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import { splitSecrets } from "../../model/connections/secrets.ts";
import { addOnce, validateAsInput, mergeSeed, reconcile, type SeedProgress } from "./reconcile.ts";
import type { SeedApi, SeedConnection, SeedRole } from "./seed.ts";
import { readAllPages } from "./read-all-pages.ts";

export async function seedApi(api: TenantApi, progress: SeedProgress, seed: SeedApi): Promise<void> {
  const { identifier, scopes, settings = {}, sync = false } = seed;
  const fields = { ...settings, ...(scopes !== undefined && { scopes }) };
  await reconcile<ResourceServer>(progress, {
    subject: `API '${identifier}'`,
    fields,
    sync,
    find: async () => (await api.resourceServers.list({ identifiers: identifier }))[0],
    create: () => api.resourceServers.create({ ...fields, identifier }),
    update: ({ id }, changed) => api.resourceServers.update(id, changed),
  });
}

export async function seedRole(api: TenantApi, progress: SeedProgress, role: SeedRole): Promise<void> {
  const { name, description, permissions = {}, sync = false } = role;
  const subject = `role '${name}'`;
  const { stored, isNew } = await reconcile<Role>(progress, {
    subject,
    fields: description === undefined ? {} : { description },
    sync,
    find: () => findRole(api, name),
    create: () => api.roles.create({ name, ...(description !== undefined && { description }) }),
    update: ({ id }, changed) => api.roles.update(id, changed),
  });
  if (role.permissions === undefined) return;
  const wanted = Object.entries(permissions).flatMap(([identifier, scopes]) =>
    scopes.map((scope) => ({ resource_server_identifier: identifier, permission_name: scope })),
  );
  const held = isNew ? [] : await permissionsOf(api, stored.id);
  const isAmong = (list: readonly GivenPermission[]) => {
    const keys = new Set(list.map(keyOf));
    return (one: GivenPermission) => keys.has(keyOf(one));
  };
  const isHeld = isAmong(held);
  const isWanted = isAmong(wanted);
  const missing = wanted.filter((one) => !isHeld(one));
  const extra = await existing(
    api,
    held.filter((one) => !isWanted(one)),
  );
  if (missing.length === 0 && extra.length === 0) return;
  if (!isNew && !sync) {
    progress.differences.push({ subject, field: "permissions", stored: held.map(keyOf), wanted: wanted.map(keyOf) });
    return;
  }
  await validateAsInput(subject, async () => {
    if (missing.length > 0) await api.roles.permissions.add(stored.id, { permissions: missing });
    if (extra.length > 0) await api.roles.permissions.remove(stored.id, { permissions: extra });
  });
  if (!isNew) addOnce(progress.changed, subject);
}

/** A permission of a role: a scope of an API. */
type GivenPermission = Pick<Permission, "resource_server_identifier" | "permission_name">;

const keyOf = (permission: GivenPermission): string => `${permission.resource_server_identifier} ${permission.permission_name}`;

/**
 * Returns the permissions whose scopes still exist in their APIs. The other permissions have no effect, and cannot be
 * removed from a role.
 */
async function existing(api: TenantApi, permissions: readonly GivenPermission[]): Promise<readonly GivenPermission[]> {
  const identifiers = [...new Set(permissions.map(({ resource_server_identifier: identifier }) => identifier))];
  const scopes = await Promise.all(
    identifiers.map(async (identifier) => {
      const [found] = await api.resourceServers.list({ identifiers: identifier });
      return (found?.scopes ?? []).map(({ value }) => ({ resource_server_identifier: identifier, permission_name: value }));
    }),
  );
  const held = new Set(permissions.map(keyOf));
  return scopes.flat().filter((one) => held.has(keyOf(one)));
}

async function permissionsOf(api: TenantApi, roleId: string) {
  return readAllPages(async (from) => {
    const { permissions, next } = await api.roles.permissions.list(roleId, { take: 100, ...from });
    return { items: permissions, next };
  });
}

/** Returns a role by its name, ignoring case. */
export async function findRole(api: TenantApi, name: string): Promise<Role | undefined> {
  const found = await readAllPages(async (from) => {
    const { roles, next } = await api.roles.list({ name_filter: name, take: 100, ...from });
    return { items: roles, next };
  });
  return found.find((role) => role.name.toLowerCase() === name.toLowerCase());
}

export async function seedConnection(api: TenantApi, progress: SeedProgress, seed: SeedConnection): Promise<void> {
  const { name, strategy, settings = {}, clients, sync = false } = seed;
  const { options, ...rest } = settings;
  // The seed is compared with the stored connection without its secrets, because responses never contain secrets.
  const sent: JsonObject | undefined = options === undefined ? undefined : JSON.parse(JSON.stringify(options));
  const shown = sent === undefined ? {} : { options: splitSecrets(sent).options };
  const offered = clients === undefined ? {} : { enabled_clients: clients };
  await reconcile<Connection>(progress, {
    subject: `connection '${name}'`,
    fields: { ...rest, ...shown, ...offered, strategy },
    sync,
    find: async () => (await api.connections.list({ name }))[0],
    create: () => api.connections.create({ ...settings, ...offered, name, strategy }),
    update: async (stored, fields) => {
      const { strategy: other, ...changed } = { ...fields } as { readonly strategy?: string };
      if (other !== undefined) throw new PosternError("configuration_error", `its strategy is '${stored.strategy}' and cannot be changed`);
      // An update replaces all options, so options that the seed omits are added from the stored ones.
      const merged = "options" in changed && sent !== undefined ? { options: mergeSeed(stored.options, sent) } : {};
      await api.connections.update(stored.id, { ...changed, ...merged });
    },
  });
}
