import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { readStored } from "../settings.ts";
import { tokenQuotaSchema, type TokenQuota } from "../token-quota.ts";

/** The schema of the `settings` column of an organization. */
export const organizationSettingsSchema = z.object({ token_quota: tokenQuotaSchema.exactOptional() });

/** Returns the token quota for clients that act for an organization, or undefined if the organization has none. */
export function organizationTokenQuota(row: Row<"organizations">): TokenQuota | undefined {
  return readStored(organizationSettingsSchema, row.settings).token_quota;
}
