import type { Organization, TenantApi } from "../in-process/api.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { addOnce, validateAsInput, reconcile, type SeedProgress } from "./reconcile.ts";
import { findRole } from "./records.ts";
import type { SeedMember, SeedOrganization } from "./seed.ts";
import { readAllPages } from "./read-all-pages.ts";

export async function seedOrganization(api: TenantApi, progress: SeedProgress, seed: SeedOrganization): Promise<void> {
  const { name, settings = {}, connections = [], members = [], sync = false } = seed;
  const subject = `organization '${name}'`;
  const { stored, isNew } = await reconcile<Organization>(progress, {
    subject,
    fields: settings,
    sync,
    find: () => findOrganization(api, name),
    create: () => api.organizations.create({ ...settings, name }),
    update: ({ id }, fields) => api.organizations.update(id, fields),
  });
  await validateAsInput(subject, async () => {
    const enabled = isNew ? [] : await connectionsOf(api, stored.id);
    const wanted = await Promise.all(connections.map((one) => connectionId(api, one)));
    const missing = wanted.filter((id) => !enabled.includes(id));
    await addMissing("connections", missing, enabled, wanted, (id) =>
      api.organizations.connections.create(stored.id, { connection_id: id }),
    );

    const existing = isNew ? [] : await membersOf(api, stored.id);
    const users = await Promise.all(members.map(async (member) => ({ member, userId: await userIdOf(api, member) })));
    const others = users.filter(({ userId }) => !existing.includes(userId));
    const emails = users.map(({ member }) => member.email);
    await addMissing("members", others, existing, emails, ({ member, userId }) => addMember(api, stored.id, userId, member));
  });

  async function addMissing<T>(field: string, missing: readonly T[], has: unknown, wanted: unknown, add: (one: T) => Promise<unknown>) {
    if (missing.length === 0) return;
    if (!isNew && !sync) {
      progress.differences.push({ subject, field, stored: has, wanted });
      return;
    }
    for (const one of missing) await ignoreConflict(add(one));
    if (!isNew) addOnce(progress.changed, subject);
  }
}

/** Ignores a conflict, because another process that starts at the same time may have added the same item. */
async function ignoreConflict(added: Promise<unknown>): Promise<void> {
  await added.catch((error: unknown) => {
    if (!(isPosternError(error) && error.code === "conflict")) throw error;
  });
}

async function findOrganization(api: TenantApi, name: string): Promise<Organization | undefined> {
  try {
    return await api.organizations.getByName(name);
  } catch (error) {
    if (isPosternError(error) && error.code === "not_found") return undefined;
    throw error;
  }
}

async function connectionsOf(api: TenantApi, organizationId: string): Promise<readonly string[]> {
  const found = await readAllPages(async (from) => {
    const { connections: items, next } = await api.organizations.connections.list(organizationId, { take: 100, ...from });
    return { items, next };
  });
  return found.map(({ connection_id: id }) => id);
}

async function connectionId(api: TenantApi, name: string): Promise<string> {
  const [connection] = await api.connections.list({ name });
  if (connection === undefined) throw new PosternError("invalid_request", `the connection '${name}' does not exist`);
  return connection.id;
}

async function membersOf(api: TenantApi, organizationId: string): Promise<readonly string[]> {
  const found = await readAllPages(async (from) => {
    const { members, next } = await api.organizations.members.list(organizationId, { take: 100, ...from });
    return { items: members, next };
  });
  return found.flatMap(({ user_id: id }) => (id === undefined ? [] : [id]));
}

async function userIdOf(api: TenantApi, { email }: SeedMember): Promise<string> {
  const [user] = await api.usersByEmail.list({ email });
  if (user?.user_id === undefined) throw new PosternError("invalid_request", `the user '${email}' does not exist`);
  return user.user_id;
}

async function addMember(api: TenantApi, organizationId: string, userId: string, { roles = [] }: SeedMember): Promise<void> {
  const ids = await Promise.all(
    roles.map(async (name) => {
      const role = await findRole(api, name);
      if (role === undefined) throw new PosternError("invalid_request", `the role '${name}' does not exist`);
      return role.id;
    }),
  );
  await api.organizations.members.add(organizationId, { members: [userId] });
  if (ids.length > 0) await api.organizations.members.roles.add(organizationId, userId, { roles: ids });
}
