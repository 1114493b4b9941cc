import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { readStored } from "../settings.ts";

const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "must be a color such as #0059d6");

/** The colors of an organization. */
export const OrganizationColors = z.strictObject({ primary: color, page_background: color }).exactPartial();

/** How an organization is shown: what is stored, and what replies hold. Addresses were checked when they came. */
export const OrganizationBranding = z
  .strictObject({
    logo_url: z.string(),
    logo_url_dark: z.string().meta({
      description: "Shown in place of `logo_url` to people whose pages are dark. The vendor has no such setting.",
    }),
    colors: OrganizationColors,
  })
  .exactPartial();

export type OrganizationBranding = z.infer<typeof OrganizationBranding>;

/** Reads the branding of a record. */
export function organizationBranding(row: Row<"organizations">): OrganizationBranding {
  return readStored(OrganizationBranding, row.branding);
}

/** How an organization wants to be shown to people. */
export function organizationLook(row: Row<"organizations">): { readonly name: string; readonly logoUrl?: string } {
  const { logo_url: logoUrl = "" } = organizationBranding(row);
  return { name: row.display_name || row.name, ...(logoUrl !== "" && { logoUrl }) };
}
