import { renderToString } from "preact-render-to-string";
import type { PageBranding } from "../../branding/branding.ts";
import { imageUrl } from "../../branding/images.ts";
import { palettesOf } from "../../branding/theme.ts";
import { initial } from "../../branding/initial.ts";

/**
 * Returns the URL of the page's icon: the icon in the branding, or an icon with the first letter of the name on the
 * primary color. The letter icon is a data URL, so that browsers do not request `/favicon.ico`.
 */
export function faviconUrl(branding: PageBranding, name: string): string {
  return imageUrl(branding.faviconUrl) ?? letterIcon(branding, name);
}

function letterIcon(branding: PageBranding, name: string): string {
  const { primary, "on-primary": text } = palettesOf(branding).light;
  const icon = (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="8" fill={primary} />
      <text x="16" y="23" font-family="system-ui,sans-serif" font-size="20" font-weight="650" text-anchor="middle" fill={text}>
        {initial(name)}
      </text>
    </svg>
  );
  return `data:image/svg+xml,${encodeURIComponent(renderToString(icon).toWellFormed())}`;
}
