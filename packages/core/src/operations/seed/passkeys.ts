import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { defaultPasswordConnection } from "../../tenants/lifecycle/password-connection.ts";
import type { TenantApi } from "../in-process/api.ts";
import { reconcile, type SeedProgress } from "./reconcile.ts";
import type { SeedPasskeys } from "./seed.ts";

/**
 * Sets the passkeys of the password connection of a new tenant, or compares those of an existing tenant with the seed.
 * All other options of the connection stay unchanged.
 */
export async function seedPasskeys(
  api: TenantApi,
  progress: SeedProgress,
  { connection: name, sync = false, ...fields }: SeedPasskeys,
  isNewTenant: boolean,
): Promise<void> {
  const subject = `passkeys of connection '${name ?? defaultPasswordConnection}'`;
  const [connection] = await api.connections.list({ name: name ?? defaultPasswordConnection });
  if (connection === undefined) {
    // An administrator may have deleted the connection that every tenant begins with.
    if (name === undefined) return;
    throw new PosternError("configuration_error", `${subject} cannot be used: the connection does not exist`);
  }
  const { authentication_methods: methods, passkey_options: passkeys } = optionsSchema.parse(connection.options);
  const write = async (changed: Partial<Omit<SeedPasskeys, "connection" | "sync">>): Promise<object> => {
    const { enabled, ...options } = changed;
    await api.connections.update(connection.id, {
      options: {
        ...connection.options,
        ...(enabled !== undefined && { authentication_methods: { ...methods, passkey: { enabled } } }),
        ...(Object.keys(options).length > 0 && { passkey_options: { ...passkeys, ...options } }),
      },
    });
    return fields;
  };
  await reconcile<object>(progress, {
    subject,
    fields,
    sync,
    find: async () => (isNewTenant ? undefined : { ...defaults, ...passkeys, ...methods?.passkey }),
    create: () => write(fields),
    update: (_, changed) => write(changed),
  });
}

/** The options of a connection that this file reads. All other members are written back unchanged. */
const optionsSchema = z.object({
  authentication_methods: z.looseObject({ passkey: z.looseObject({}).optional() }).nullish(),
  passkey_options: z.looseObject({}).nullish(),
});

const defaults: Required<Omit<SeedPasskeys, "connection" | "sync">> = {
  enabled: false,
  challenge_ui: "both",
  progressive_enrollment_enabled: true,
  local_enrollment_enabled: true,
};
