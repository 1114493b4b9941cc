import { PosternError } from "../errors.ts";
import type { AccountSectionName } from "../model/tenant/account-page.ts";
import { isChangeable } from "../tenants/account-sections.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** @throws {PosternError} `forbidden` if the tenant does not let its users change what a section of the account page shows. */
export function requireSection(tenant: RequestTenant, section: AccountSectionName): void {
  if (!isChangeable(tenant, section))
    throw new PosternError("forbidden", `the tenant's account page does not let users change '${section}'`);
}
