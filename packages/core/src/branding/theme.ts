import type { PageBranding } from "./branding.ts";
import { shapeCss } from "./shape.ts";
import { darkened, hex, inDarkMode, mix, parseColor, pressed, readable, textOn, type Color } from "./color.ts";
import { dark, isDark, light, themedGround, wished, type Ground } from "./ground.ts";

/** The primary color of a tenant that has not set one. */
const ownPrimary: Color = [43, 84, 209];

/** Returns the colors by the names of their CSS custom properties. */
function paletteOf(ground: Ground, primary: Color, background: Background) {
  const { surface, fixed, wishes } = ground;
  const onPrimary = wished(wishes?.onPrimary, primary, 4.5, textOn(primary));
  // With a contrast of 5.8 to the surface, the contrast is still at least 4.5 on the quiet and tinted backgrounds,
  // which are a little closer to the color of the link.
  const link = readable(wishes?.link ?? primary, surface, 5.8);
  return {
    ...fixed,
    page: hex(background?.[0] ?? ground.page),
    surface: hex(surface),
    primary: hex(primary),
    "on-primary": hex(onPrimary),
    "primary-pressed": hex(wished(wishes?.pressed, onPrimary, 4.5, pressed(primary, onPrimary))),
    "primary-line": hex(readable(primary, surface, 3)),
    link: hex(link),
    tint: hex(mix(surface, link, 0.1)),
    focus: hex(readable(wishes?.focus ?? link, surface, 5.8)),
  };
}

/**
 * The colors of pages and mails, light or dark. For every brand color, each text has a contrast ratio of at least 4.5
 * to its background.
 */
export type Palette = ReturnType<typeof paletteOf>;

/** Returns the colors of a branding, for output that cannot use CSS custom properties. */
export function palettesOf(branding: PageBranding): { readonly light: Palette; readonly dark: Palette } {
  const { light: day, dark: night } = grounded(branding);
  return { light: paletteOf(...day), dark: paletteOf(...night) };
}

type Grounded = Parameters<typeof paletteOf>;

function grounded({ primaryColor, pageBackground, theme }: PageBranding): { readonly light: Grounded; readonly dark: Grounded } {
  const brand = parseColor(primaryColor) ?? ownPrimary;
  const page = backgroundOf(pageBackground);
  const own = theme && themedGround(theme.colors);
  const day: Grounded = [own ?? light, brand, page];
  // Themes have no settings for dark mode. A dark theme has the same colors in both modes. If the theme is light, dark
  // mode has its hues on a dark background.
  if (own !== undefined && isDark(own)) return { light: day, dark: day };
  const darkPage: Background = page && [darkened(page[0]), page[1] && darkened(page[1]), page[2]];
  return { light: day, dark: [dark, inDarkMode(brand, dark.surface), darkPage] };
}

function variables(...[ground, primary, background]: Grounded): string {
  const colors = Object.entries(paletteOf(ground, primary, background)).map(([name, color]) => `--${name}:${color}`);
  return `${colors.join(";")};--backdrop:${backdrop(background, mix(ground.page, primary, 0.09))}`;
}

/** A custom page background: one color, or a gradient between two colors with its angle in degrees. */
type Background = readonly [from: Color, to?: Color | undefined, degrees?: number | undefined] | undefined;

function backgroundOf(background: PageBranding["pageBackground"]): Background {
  if (typeof background !== "object") {
    const color = parseColor(background);
    return color && [color];
  }
  const [start, end] = [parseColor(background.start), parseColor(background.end)];
  return start && end && [start, end, Number.isFinite(background.angle) ? background.angle : 0];
}

/**
 * Returns the CSS background that covers the page color: the custom gradient, `none` if there is a custom color, and a
 * glow otherwise.
 */
function backdrop(background: Background, glow: Color): string {
  if (background === undefined) return `radial-gradient(60rem 28rem at 50% 0,${hex(glow)},transparent) no-repeat`;
  const [start, end, degrees = 0] = background;
  return end === undefined ? "none" : `linear-gradient(${degrees}deg,${hex(start)},${hex(end)}) fixed`;
}

/**
 * Returns the colors for the browser's toolbars: the color of the card, which is next to the toolbars on small screens.
 */
export function barColors(branding: PageBranding): { readonly light: string; readonly dark: string } {
  const { light: day, dark: night } = grounded(branding);
  return { light: hex(day[0].surface), dark: hex(night[0].surface) };
}

/** Returns the branding as CSS custom properties. */
export function themeCss(branding: PageBranding): string {
  const { light: day, dark: night } = grounded(branding);
  const schemes = isDark(day[0]) ? "dark" : "light dark";
  return (
    `:root{color-scheme:${schemes};${variables(...day)}}@media (prefers-color-scheme:dark){:root{${variables(...night)}}}` +
    shapeCss(branding)
  );
}
