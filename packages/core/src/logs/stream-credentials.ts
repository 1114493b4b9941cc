import type { DataContext, ServiceContext } from "../context.ts";
import type { Row } from "../store/schema.ts";
import { sealedPlaceOf } from "../store/sealed.ts";
import type { TenantData } from "../store/tenant-data.ts";
import type { JsonObject } from "../store/value.ts";
import { openJson, sealJson } from "../crypto/sealed-json.ts";

/** Encrypts the credentials of a log stream and returns the columns to store. */
export async function sealStreamCredentials(
  context: DataContext,
  id: string,
  secrets: JsonObject,
): Promise<Pick<Row<"log_streams">, "credentials" | "seal">> {
  const { text, seal } = await sealJson(context, sealedPlaceOf("log_streams", context.data.tenantId, id), secrets);
  return { credentials: text, seal };
}

/** Decrypts the credentials of a log stream. @throws if no key in the key ring can decrypt them. */
export async function openStreamCredentials(
  context: ServiceContext,
  { tenantId }: Pick<TenantData, "tenantId">,
  { id, credentials }: Pick<Row<"log_streams">, "id" | "credentials">,
): Promise<JsonObject> {
  // `sealStreamCredentials` always encrypts an object.
  return credentials === null ? {} : ((await openJson(context, sealedPlaceOf("log_streams", tenantId, id), credentials)) as JsonObject);
}
