import type { DataContext, ServiceContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { sealedPlaceOf } from "../../store/sealed.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { mergeSecrets } from "../../model/connections/secrets.ts";
import { sealOf } from "../../crypto/seal.ts";
import { sealMembers } from "../../crypto/sealed-json.ts";

/**
 * Decrypts the secrets of a connection. Returns them by their paths. @throws if no key in the key ring can decrypt one.
 */
export async function openSecrets(
  context: ServiceContext,
  { tenantId }: TenantData,
  { id, secrets }: Pick<Row<"connections">, "id" | "secrets">,
): Promise<JsonObject> {
  const opened = await Promise.all(
    Object.entries(secrets).map(async ([path, sealed]): Promise<[string, Json]> => [
      path,
      JSON.parse(await context.secrets.sealer.open(sealedPlaceOf("connections", tenantId, id, path), String(sealed))) as Json,
    ]),
  );
  return Object.fromEntries(opened);
}

/**
 * Returns the columns with a connection's secrets after a change. Encrypts each submitted secret and leaves the other
 * secrets unchanged. Does not decrypt stored secrets, so a secret can be replaced even if no key can decrypt the old
 * one.
 * @param sent the submitted secrets, by their paths; `null` removes a secret.
 */
export async function sealSecrets(
  context: DataContext,
  { id, secrets: stored }: Pick<Row<"connections">, "id" | "secrets">,
  sent: JsonObject,
): Promise<Pick<Row<"connections">, "secrets" | "seal">> {
  const sealed = await sealMembers(context, (path) => sealedPlaceOf("connections", context.data.tenantId, id, path), sent);
  const secrets = mergeSecrets(stored, sealed);
  return { secrets, seal: sealOf(context, Object.values(secrets).map(String)) };
}
