import { accountSectionNames, type AccountSectionName, type SectionVisibility } from "../model/tenant/account-page.ts";
import type { MetadataField } from "../model/tenant/metadata-fields.ts";
import type { RequestTenant } from "./tenant.ts";

/** Returns whether users of the tenant see each section. Default: `shown` for `security`, otherwise `hidden`. */
function visibilities({ settings }: RequestTenant): { readonly [Name in AccountSectionName]: SectionVisibility } {
  const {
    profile = "hidden",
    addresses = "hidden",
    username = "hidden",
    password = "hidden",
    security = "shown",
    sessions = "hidden",
    apps = "hidden",
    linked_accounts = "hidden",
    organizations = "hidden",
    language = "hidden",
    events = "hidden",
    export: ownData = "hidden",
    deletion = "hidden",
  } = settings.account_page?.sections ?? {};
  return {
    profile,
    addresses,
    username,
    password,
    security,
    sessions,
    apps,
    linked_accounts,
    organizations,
    language,
    events,
    export: ownData,
    deletion,
  };
}

/** Returns the sections that the tenant shows to its users, in their order. */
export function shownSections(tenant: RequestTenant): readonly AccountSectionName[] {
  const visible = visibilities(tenant);
  return accountSectionNames.filter((name) => visible[name] !== "hidden");
}

/** Whether users may change what a section of the tenant shows. */
export function isChangeable(tenant: RequestTenant, name: AccountSectionName): boolean {
  return visibilities(tenant)[name] === "shown";
}

/** Whether users see a section of the tenant, and change nothing there. */
export function isReadOnlySection(tenant: RequestTenant, name: AccountSectionName): boolean {
  return visibilities(tenant)[name] === "read_only";
}

/** Returns the fields of `user_metadata` that users of the tenant see and change themselves. */
export function metadataFields({ settings }: RequestTenant): readonly MetadataField[] {
  return settings.account_page?.metadata_fields ?? [];
}
