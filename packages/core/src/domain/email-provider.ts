import type { Row } from "../data/schema.ts";
import { placeOf } from "../data/sealed.ts";
import type { TenantData } from "../data/tenant-data.ts";
import type { JsonObject } from "../data/value.ts";
import type { Environment } from "./environment.ts";
import { sealOf } from "./sealing/seal.ts";

/** The id of the one provider that a tenant can have: the key decides that there is no second. */
export const theProvider = "provider";

type Sealing = Pick<Environment, "ids" | "sealer">;

/** The columns of the secret credentials of a tenant's provider. */
export async function sealCredentials(
  environment: Sealing,
  { tenantId }: TenantData,
  secrets: JsonObject,
): Promise<Pick<Row<"email_providers">, "credentials" | "seal">> {
  if (Object.keys(secrets).length === 0) return { credentials: null, seal: "" };
  const sealed = await environment.sealer.seal(placeOf("email_providers", tenantId, theProvider), JSON.stringify(secrets));
  return { credentials: sealed, seal: sealOf(environment, [sealed]) };
}

/** The secret credentials of a tenant's provider. @throws where no key of the ring opens them. */
export async function openCredentials(
  { sealer }: Sealing,
  { tenantId }: TenantData,
  { credentials }: Pick<Row<"email_providers">, "credentials">,
): Promise<JsonObject> {
  return credentials === null
    ? {}
    : (JSON.parse(await sealer.open(placeOf("email_providers", tenantId, theProvider), credentials)) as JsonObject);
}
