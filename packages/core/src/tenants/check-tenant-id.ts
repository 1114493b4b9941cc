import { PosternError } from "../errors.ts";
import { isTenantId } from "../model/tenant/tenant-id.ts";

/** @throws {PosternError} `configuration_error` if the text is not a valid tenant id. */
export function checkTenantId(tenantId: string): void {
  if (!isTenantId(tenantId)) {
    throw new PosternError(
      "configuration_error",
      `'${tenantId}' is not a valid tenant id: use 1 to 63 lower-case letters, digits, - and _, and not a reserved word`,
    );
  }
}
