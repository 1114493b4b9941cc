import { defaultPasswordConnection } from "../../tenants/lifecycle/password-connection.ts";
import type { ClientGrant, TenantApi } from "../in-process/api.ts";
import { reconcile, type SeedProgress } from "./reconcile.ts";
import type { SeedExternalClients } from "./seed.ts";

/** The settings of external clients in one object, named as in a {@link SeedExternalClients}. */
type ExternalClientSettings = Omit<SeedExternalClients, "grants" | "sync">;

/**
 * Sets how clients may register themselves with a new tenant and what they get, or compares an existing tenant with the
 * seed.
 */
export async function seedExternalClients(
  api: TenantApi,
  progress: SeedProgress,
  { grants = {}, sync = false, ...fields }: SeedExternalClients,
  isNewTenant: boolean,
): Promise<void> {
  const [passwords] = await api.connections.list({ name: defaultPasswordConnection });
  const read = async (): Promise<ExternalClientSettings> => {
    const settings = await api.settings.get();
    return {
      metadataDocuments: settings.client_id_metadata_document_supported === true,
      documentHosts: settings.client_id_metadata_document_domains ?? [],
      registration: settings.flags?.enable_dynamic_client_registration === true,
      passwords: passwords?.is_domain_connection === true,
    };
  };
  const write = async ({ metadataDocuments, documentHosts, registration, passwords: offered }: ExternalClientSettings) => {
    const settings = {
      ...(metadataDocuments !== undefined && { client_id_metadata_document_supported: metadataDocuments }),
      ...(documentHosts !== undefined && { client_id_metadata_document_domains: [...documentHosts] }),
      ...(registration !== undefined && { flags: { enable_dynamic_client_registration: registration } }),
    };
    if (Object.keys(settings).length > 0) await api.settings.update(settings);
    if (offered !== undefined && passwords !== undefined) await api.connections.update(passwords.id, { is_domain_connection: offered });
    return fields;
  };
  await reconcile<ExternalClientSettings>(progress, {
    subject: "external clients",
    fields,
    sync,
    find: async () => (isNewTenant ? undefined : read()),
    create: () => write(fields),
    update: (_, changed) => write(changed),
  });
  const all = { default_for: "third_party_clients", subject_type: "user" } as const;
  for (const [audience, scope] of Object.entries(grants)) {
    await reconcile<ClientGrant>(progress, {
      subject: `grant of external clients for '${audience}'`,
      fields: { scope },
      sync,
      find: async () => (await api.clientGrants.list({ default_for: all.default_for, audience }))[0],
      create: () => api.clientGrants.create({ ...all, audience, scope }),
      update: ({ id }, changed) => api.clientGrants.update(id, changed),
    });
  }
}
