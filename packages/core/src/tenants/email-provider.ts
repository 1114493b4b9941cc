import type { DataContext, ServiceContext } from "../context.ts";
import type { Row } from "../store/schema.ts";
import { sealedPlaceOf } from "../store/sealed.ts";
import type { TenantData } from "../store/tenant-data.ts";
import type { JsonObject } from "../store/value.ts";
import { openJson, sealJson } from "../crypto/sealed-json.ts";

/** The id of each tenant's email provider. It is the same everywhere, so that a tenant cannot have two providers. */
export const emailProviderId = "provider";

/** Encrypts the secret credentials of a tenant's email provider for storage. */
export async function sealCredentials(
  context: DataContext,
  secrets: JsonObject,
): Promise<Pick<Row<"email_providers">, "credentials" | "seal">> {
  if (Object.keys(secrets).length === 0) return { credentials: null, seal: "" };
  const { text, seal } = await sealJson(context, sealedPlaceOf("email_providers", context.data.tenantId, emailProviderId), secrets);
  return { credentials: text, seal };
}

/** Decrypts the secret credentials of a tenant's email provider. @throws if no key in the key ring can decrypt them. */
export async function openCredentials(
  context: ServiceContext,
  { tenantId }: TenantData,
  { credentials }: Pick<Row<"email_providers">, "credentials">,
): Promise<JsonObject> {
  // `sealCredentials` sealed an object.
  return credentials === null
    ? {}
    : ((await openJson(context, sealedPlaceOf("email_providers", tenantId, emailProviderId), credentials)) as JsonObject);
}
