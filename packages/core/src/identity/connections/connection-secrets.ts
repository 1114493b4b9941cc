import type { DataContext, ServiceContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { sealedPlaceOf } from "../../store/sealed.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { mergeSecrets } from "../../model/connections/secrets.ts";
import { sealOf } from "../../crypto/seal.ts";

/** Decrypts the secrets of a connection, by their paths. @throws if no key of the ring decrypts one. */
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
 * The columns of a connection's secrets after a change. The submitted secrets are encrypted, one by one, and the others
 * stay unchanged. Stored secrets are not decrypted, so a secret can be replaced even if no key decrypts the old one.
 * @param sent by their paths; `null` removes a secret.
 */
export async function sealSecrets(
  context: DataContext,
  { id, secrets: stored }: Pick<Row<"connections">, "id" | "secrets">,
  sent: JsonObject,
): Promise<Pick<Row<"connections">, "secrets" | "seal">> {
  const sealed = await Promise.all(
    Object.entries(sent).map(async ([path, secret]): Promise<[string, string | null]> => {
      const place = sealedPlaceOf("connections", context.data.tenantId, id, path);
      return [path, secret === null ? null : await context.secrets.sealer.seal(place, JSON.stringify(secret))];
    }),
  );
  const secrets = mergeSecrets(stored, Object.fromEntries(sealed));
  return { secrets, seal: sealOf(context, Object.values(secrets).map(String)) };
}
