import { readAll } from "../data/read-all.ts";
import { schema, storedKey } from "../data/schema.ts";
import type { SigningKey } from "../domain/keys/signing-keys.ts";
import type { Installation } from "./installation.ts";

/** The keys of one tenant. */
export async function keysOf({ cache, scope }: Installation, tenantId: string): Promise<readonly SigningKey[]> {
  const read = async (): Promise<readonly SigningKey[]> => {
    const rows = await readAll(scope(tenantId).signing_keys, schema.signing_keys.key, {});
    return rows.map((row) => ({ ...row, tenant_id: tenantId }));
  };
  return (await cache.get(tenantId, "signing_keys", "", read)) ?? [];
}

/** The keys of all tenants: any of them may use the configured issuer. One question across tenants, answered from an index of its own. */
export async function sharedIssuerKeys({ cache, collections }: Installation): Promise<readonly SigningKey[]> {
  return (
    (await cache.get("", "signing_keys", "", () =>
      readAll(collections.signing_keys, storedKey(schema.signing_keys), { type: "jwt_signing" }),
    )) ?? []
  );
}
