import type { PageBranding } from "./branding.ts";
import { shapeCss } from "./shape.ts";
import { darkened, hex, inDarkMode, mix, parseColor, pressed, readable, textOn, type Color } from "./color.ts";
import { dark, isDark, light, themedGround, wished, type Ground } from "./ground.ts";

/** The primary color of a tenant without a custom color. */
const ownPrimary: Color = [43, 84, 209];

/** Returns the colors by the name of their custom property. */
function paletteOf(ground: Ground, primary: Color, background: Background) {
  const { surface, fixed, wishes } = ground;
  const onPrimary = wished(wishes?.onPrimary, primary, 4.5, textOn(primary));
  // High enough that the contrast stays at 4.5 or more on the quiet and tinted grounds, which are a little closer to
  // the color than the surface.
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
 * The colors of pages and mails, light or dark. Every pair of text and background has a contrast of at least 4.5,
 * for every brand color.
 */
export type Palette = ReturnType<typeof paletteOf>;

/** Returns the colors of a branding, for output that cannot use custom properties. */
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
  // Themes have no settings for dark mode. A dark theme is dark in both modes. Of a light theme, dark mode uses the
  // hues on a dark ground.
  if (own !== undefined && isDark(own)) return { light: day, dark: day };
  const darkPage: Background = page && [darkened(page[0]), page[1] && darkened(page[1]), page[2]];
  return { light: day, dark: [dark, inDarkMode(brand, dark.surface), darkPage] };
}

function variables(...[ground, primary, background]: Grounded): string {
  const colors = Object.entries(paletteOf(ground, primary, background)).map(([name, color]) => `--${name}:${color}`);
  return `${colors.join(";")};--backdrop:${backdrop(background, mix(ground.page, primary, 0.09))}`;
}

/** A custom background: one color, or two with the angle of the line between them in degrees. */
type Background = readonly [from: Color, to?: Color | undefined, degrees?: number | undefined] | undefined;

function backgroundOf(background: PageBranding["pageBackground"]): Background {
  if (typeof background !== "object") {
    const color = parseColor(background);
    return color && [color];
  }
  const [start, end] = [parseColor(background.start), parseColor(background.end)];
  return start && end && [start, end, Number.isFinite(background.angle) ? background.angle : 0];
}

/** Returns what covers the page color: a custom gradient, nothing if there is a custom color, and a glow otherwise. */
function backdrop(background: Background, glow: Color): string {
  if (background === undefined) return `radial-gradient(60rem 28rem at 50% 0,${hex(glow)},transparent) no-repeat`;
  const [start, end, degrees = 0] = background;
  return end === undefined ? "none" : `linear-gradient(${degrees}deg,${hex(start)},${hex(end)}) fixed`;
}

/** Returns the colors of the browser's own bars: the surface color, which is next to the bars on small screens. */
export function barColors(branding: PageBranding): { readonly light: string; readonly dark: string } {
  const { light: day, dark: night } = grounded(branding);
  return { light: hex(day[0].surface), dark: hex(night[0].surface) };
}

/** Returns the branding as custom properties. */
export function themeCss(branding: PageBranding): string {
  const { light: day, dark: night } = grounded(branding);
  const schemes = isDark(day[0]) ? "dark" : "light dark";
  return (
    `:root{color-scheme:${schemes};${variables(...day)}}@media (prefers-color-scheme:dark){:root{${variables(...night)}}}` +
    shapeCss(branding)
  );
}
