import type { Row } from "../store/schema.ts";
import type { JsonObject } from "../store/value.ts";
import { themeOf, type Theme } from "../model/tenant/theme.ts";
import { organizationLook } from "../model/organizations/branding.ts";

/**
 * The branding of pages and mails, of the tenant or of the organization that the user signs in to. Colors are CSS hex
 * colors. Other values are ignored.
 */
export interface PageBranding {
  /** The name of the organization, if the branding is an organization's. */
  readonly name?: string;
  readonly logoUrl?: string;
  /** Replaces the logo in dark mode. */
  readonly darkLogoUrl?: string;
  readonly faviconUrl?: string;
  readonly primaryColor?: string;
  readonly pageBackground?: string | Gradient;
  /** Covers the whole page, above the page color. */
  readonly backgroundImageUrl?: string;
  /** A font file for the pages. */
  readonly fontUrl?: string;
  /** The other settings of the tenant's theme. */
  readonly theme?: Theme;
}

/** Two colors, and the angle of the line between them in degrees: 0 points up, 90 to the right. */
interface Gradient {
  readonly start: string;
  readonly end: string;
  readonly angle: number;
}

/**
 * Returns a tenant's branding, overridden by that of an organization. Settings that the organization omits are the
 * tenant's. The organization's name is shown beside its own logo, or if there is no logo.
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

/** Returns the branding settings of a theme, which override those of the branding. */
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
