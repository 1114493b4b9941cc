import { accountSectionNames, sectionVisibility, type AccountSectionName } from "../../model/tenant/account-page.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** Returns the sections that the tenant shows to its users, in their order. */
export function shownSections({ settings }: RequestTenant): readonly AccountSectionName[] {
  return accountSectionNames.filter((name) => sectionVisibility(settings.account_page, name) !== "hidden");
}
