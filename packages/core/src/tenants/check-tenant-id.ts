import { PosternError } from "../errors.ts";
import { isTenantId } from "../model/tenant/tenant-id.ts";

/** @throws {PosternError} `configuration_error` for what cannot be a tenant id. */
export function checkTenantId(tenantId: string): void {
  if (!isTenantId(tenantId)) {
    throw new PosternError(
      "configuration_error",
      `'${tenantId}' cannot be a tenant id: 1 to 63 lower-case letters, digits, - and _, and no reserved word`,
    );
  }
}
