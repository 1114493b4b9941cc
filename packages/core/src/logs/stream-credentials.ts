import type { DataContext, ServiceContext } from "../context.ts";
import type { Row } from "../store/schema.ts";
import { placeOf } from "../store/sealed.ts";
import type { TenantData } from "../store/tenant-data.ts";
import type { JsonObject } from "../store/value.ts";
import { openJson, sealJson } from "../crypto/sealed-json.ts";

/** The columns of what proves us at the place of a log stream. */
export async function sealStreamCredentials(
  context: DataContext,
  id: string,
  secrets: JsonObject,
): Promise<Pick<Row<"log_streams">, "credentials" | "seal">> {
  const { text, seal } = await sealJson(context, placeOf("log_streams", context.data.tenantId, id), secrets);
  return { credentials: text, seal };
}

/** What proves us at the place of a log stream. @throws where no key of the ring opens it. */
export async function openStreamCredentials(
  context: ServiceContext,
  { tenantId }: Pick<TenantData, "tenantId">,
  { id, credentials }: Pick<Row<"log_streams">, "id" | "credentials">,
): Promise<JsonObject> {
  // What was sealed there is an object.
  return credentials === null ? {} : ((await openJson(context, placeOf("log_streams", tenantId, id), credentials)) as JsonObject);
}
