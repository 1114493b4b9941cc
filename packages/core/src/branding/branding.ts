import type { Row } from "../store/schema.ts";
import type { JsonObject } from "../store/value.ts";
import { themeOf, type Theme } from "../model/tenant/theme.ts";
import { organizationLook } from "../model/organizations/branding.ts";

/**
 * The branding of pages and mails. It belongs to the tenant or to the organization that the user signs in to. Colors
 * are CSS hex colors; any other value is ignored.
 */
export interface PageBranding {
  /** The name of the organization, if the branding displays the organization instead of the tenant. */
  readonly name?: string;
  readonly logoUrl?: string;
  /** The logo for dark mode. */
  readonly darkLogoUrl?: string;
  readonly faviconUrl?: string;
  readonly primaryColor?: string;
  readonly pageBackground?: string | Gradient;
  /** The image that covers the page color. */
  readonly backgroundImageUrl?: string;
  /** The URL of a font file for the pages. */
  readonly fontUrl?: string;
  /** The tenant's theme, for the settings that are not listed above. */
  readonly theme?: Theme;
}

/** A gradient between two colors. `angle` is its direction in degrees: 0 points up, 90 to the right. */
interface Gradient {
  readonly start: string;
  readonly end: string;
  readonly angle: number;
}

/**
 * Returns the tenant's branding, overridden by the organization's. For settings that the organization omits, the
 * tenant's settings apply. The organization's name is included if the organization has a logo, or if the tenant has
 * none.
 */
export function brandingFor(stored: JsonObject, organization: Row<"organizations"> | undefined): PageBranding {
  const tenants = { ...brandingOf(stored), ...themed(themeOf(stored)) };
  if (organization === undefined) return tenants;
  const own = brandingOf(organization.branding);
  const named = own.logoUrl !== undefined || tenants.logoUrl === undefined;
  const { darkLogoUrl: dark, backgroundImageUrl: picture, ...rest } = tenants;
  return {
    ...rest,
    ...(picture !== undefined && own.pageBackground === undefined && { backgroundImageUrl: picture }),
    ...(dark !== undefined && own.logoUrl === undefined && { darkLogoUrl: dark }),
    ...own,
    ...(named && { name: organizationLook(organization).name }),
  };
}

function brandingOf(stored: JsonObject): PageBranding {
  const [logo, darkLogo, favicon] = [text(stored["logo_url"]), text(stored["logo_url_dark"]), text(stored["favicon_url"])];
  const primary = text(memberOf(stored["colors"], "primary"));
  const background = backgroundOf(memberOf(stored["colors"], "page_background"));
  const font = text(memberOf(stored["font"], "url"));
  return {
    ...(logo !== undefined && { logoUrl: logo }),
    ...(darkLogo !== undefined && { darkLogoUrl: darkLogo }),
    ...(favicon !== undefined && { faviconUrl: favicon }),
    ...(primary !== undefined && { primaryColor: primary }),
    ...(background !== undefined && { pageBackground: background }),
    ...(font !== undefined && { fontUrl: font }),
  };
}

/** Returns the branding settings in a theme. They override the tenant's other branding settings. */
function themed(theme: Theme | undefined): PageBranding {
  if (theme === undefined) return {};
  const { colors, fonts, page_background: page, widget } = theme;
  return {
    theme,
    primaryColor: colors.primary_button,
    pageBackground: page.background_color,
    ...(page.background_image_url !== "" && { backgroundImageUrl: page.background_image_url }),
    ...(widget.logo_url !== "" && { logoUrl: widget.logo_url }),
    ...(fonts.font_url !== "" && { fontUrl: fonts.font_url }),
  };
}

function backgroundOf(stored: unknown): PageBranding["pageBackground"] {
  const [start, end, angle] = [text(memberOf(stored, "start")), text(memberOf(stored, "end")), memberOf(stored, "angle_deg")];
  if (start !== undefined && end !== undefined && typeof angle === "number") return { start, end, angle };
  return text(stored);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
