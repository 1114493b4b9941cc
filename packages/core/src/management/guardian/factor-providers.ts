import { changeProvider, type FactorProviderName } from "../../model/factors/providers.ts";
import type { JsonObject } from "../../store/value.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { changeDocument, findDocument, type StoredDocument } from "../kit/stored-document.ts";

const kind = "factor-provider";

/** Returns the settings of a service that sends codes or notifications. They are empty if none are stored. */
export async function findFactorProvider(tenant: RequestTenant, name: FactorProviderName): Promise<StoredDocument> {
  return findDocument(tenant, kind, name);
}

/**
 * Creates or changes the settings of a service.
 * @param replace whether settings that the body does not contain are removed. Secrets stay in both cases.
 * @throws {PosternError} `invalid_request` if the change affects where a stored secret is sent and the body does not
 * contain the secret; `conflict` if concurrent requests keep changing the settings.
 */
export async function changeFactorProvider(
  tenant: RequestTenant,
  name: FactorProviderName,
  body: JsonObject,
  replace: boolean,
): Promise<StoredDocument> {
  // The schema of the body limits each setting, so the document needs no limit.
  return changeDocument(tenant, kind, name, (stored) => changeProvider(name, stored, body, replace), { limit: Infinity, noun: "provider" });
}
