import type { Row } from "../data/schema.ts";
import { placeOf } from "../data/sealed.ts";
import type { TenantData } from "../data/tenant-data.ts";
import type { JsonObject } from "../data/value.ts";
import type { Environment } from "./environment.ts";
import { sealOf } from "./sealing/seal.ts";

/** The columns of what proves us at the place of a log stream. */
export async function sealStreamCredentials(
  environment: Pick<Environment, "ids" | "sealer">,
  { tenantId }: Pick<TenantData, "tenantId">,
  id: string,
  secrets: JsonObject,
): Promise<Pick<Row<"log_streams">, "credentials" | "seal">> {
  const sealed = await environment.sealer.seal(placeOf("log_streams", tenantId, id), JSON.stringify(secrets));
  return { credentials: sealed, seal: sealOf(environment, [sealed]) };
}

/** What proves us at the place of a log stream. @throws where no key of the ring opens it. */
export async function openStreamCredentials(
  { sealer }: Pick<Environment, "sealer">,
  { tenantId }: Pick<TenantData, "tenantId">,
  { id, credentials }: Pick<Row<"log_streams">, "id" | "credentials">,
): Promise<JsonObject> {
  return credentials === null ? {} : (JSON.parse(await sealer.open(placeOf("log_streams", tenantId, id), credentials)) as JsonObject);
}
