import { newUserId } from "../../identity/users/user-id.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import type { TenantApi } from "../in-process/api.ts";
import { emailSchema } from "../../model/email-address.ts";
import type { Installation } from "../../tenants/installation.ts";
import { defaultPasswordConnection } from "../../tenants/lifecycle/password-connection.ts";
import { assignSeededRoles, seedAdministrators, removeSeededRoles } from "./seed-administrator.ts";
import { validateAsInput, type SeedProgress } from "./reconcile.ts";
import type { SeedUser } from "./seed.ts";

/**
 * Creates a user. An existing user stays unchanged. Otherwise a caller who may update users could move the email
 * address to another user, who would become an administrator at the next start.
 */
export async function seedUser(installation: Installation, api: TenantApi, progress: SeedProgress, tenantId: string, seed: SeedUser) {
  const { email: address, password, managesTenant = false, roles = [], ...profile } = seed;
  const data = installation.scope(tenantId);
  const { data: email } = emailSchema.safeParse(address);
  if (email === undefined) throw new PosternError("configuration_error", `'${address}' is not a valid email address for a user`);
  const administrators = managesTenant ? [await seedAdministrators(installation, data)] : [];
  if ((await data.connections.count({ name: defaultPasswordConnection })) === 0) return;
  if ((await data.users.count({ connection: defaultPasswordConnection, email_key: email })) > 0) return;

  const subject = `the user '${email}'`;
  const id = installation.random.record();
  const userId = newUserId(defaultPasswordConnection, id, installation.random);
  await validateAsInput(subject, async () => {
    // Roles come before the user, so that a crash in between does not leave a user without roles.
    const given = await assignSeededRoles(installation, data, userId, roles, administrators);
    try {
      await api.users.create({ ...profile, connection: defaultPasswordConnection, user_id: id, email, email_verified: true, password });
      progress.created.push(subject);
    } catch (error) {
      await removeSeededRoles(data, userId, given);
      // Another process that starts at the same time may have created the user.
      if (!(isPosternError(error) && error.code === "conflict")) throw error;
    }
  });
}
