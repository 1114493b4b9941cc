import { PosternError } from "../errors.ts";
import { isTenantId } from "../model/tenant/tenant-id.ts";

/** Requires that text is a valid tenant id. @throws {PosternError} `configuration_error` if it is not. */
export function checkTenantId(tenantId: string): void {
  if (!isTenantId(tenantId)) {
    throw new PosternError(
      "configuration_error",
      `'${tenantId}' is not a valid tenant id: use 1 to 63 lower-case letters, digits, - and _, and not a reserved word`,
    );
  }
}
