import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { readStored } from "../settings.ts";

const color = z.string().regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "must be a color such as #0059d6");

/** The colors of an organization. */
export const organizationColorsSchema = z.strictObject({ primary: color, page_background: color }).exactPartial();

/** The branding of an organization, as stored and as returned. Its URLs were validated in the request body. */
export const organizationBrandingSchema = z
  .strictObject({
    logo_url: z.string(),
    logo_url_dark: z.string().meta({
      description: "A Postern extension: displayed instead of `logo_url` on dark pages",
    }),
    colors: organizationColorsSchema,
  })
  .exactPartial();

export type OrganizationBranding = z.infer<typeof organizationBrandingSchema>;

/** Reads the branding from a row. */
export function organizationBranding(row: Row<"organizations">): OrganizationBranding {
  return readStored(organizationBrandingSchema, row.branding);
}

/** Returns the name and the logo of an organization for pages and messages. */
export function organizationLook(row: Row<"organizations">): { readonly name: string; readonly logoUrl?: string } {
  const { logo_url: logoUrl = "" } = organizationBranding(row);
  return { name: row.display_name || row.name, ...(logoUrl !== "" && { logoUrl }) };
}
