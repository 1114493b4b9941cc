import type { PageBranding } from "./branding.ts";
import { darkened, hex, inDarkMode, mix, parseColor, pressed, readable, textOn, type Color } from "./color.ts";

/** What differs between light and dark besides the brand's own colors. */
interface Ground {
  readonly surface: Color;
  readonly page: Color;
  readonly fixed: { readonly [Name in "text" | "muted" | "line" | "quiet"]: string } & { readonly [name: string]: string };
}

const light: Ground = {
  surface: [255, 255, 255],
  page: [243, 244, 247],
  fixed: {
    text: "#191c22",
    muted: "#565d6a",
    line: "#e2e5ea",
    field: "#fff",
    "field-line": "#868d9a",
    quiet: "#f5f6f8",
    danger: "#b0241c",
    "danger-tint": "#fdf1f0",
    "danger-line": "#f0c9c5",
    good: "#1a7f4b",
    "good-tint": "#e9f6ef",
    shadow: "16 24 40",
  },
};

const dark: Ground = {
  surface: [27, 30, 36],
  page: [16, 18, 22],
  fixed: {
    text: "#eceef2",
    muted: "#a9b0bd",
    line: "#333842",
    field: "#15171c",
    "field-line": "#7c8493",
    quiet: "#23272e",
    danger: "#ffa49b",
    "danger-tint": "#382120",
    "danger-line": "#63332f",
    good: "#6fd6a2",
    "good-tint": "#1a3328",
    shadow: "0 0 0",
  },
};

/** What browsers color their own bars with: the ground of the pages on small screens, where those bars are next to it. */
export const themeColors = { light: hex(light.surface), dark: hex(dark.surface) };

/** What a tenant without a color of its own gets. */
const ownPrimary: Color = [43, 84, 209];

/** Colors by the name of their custom property. */
function paletteOf(ground: Ground, primary: Color, background: Background) {
  const { surface, fixed } = ground;
  // Enough that it stays at 4.5 and more on the quiet and tinted grounds, which are a little nearer to it than the surface.
  const link = readable(primary, surface, 5.8);
  return {
    ...fixed,
    page: hex(background?.[0] ?? ground.page),
    surface: hex(surface),
    primary: hex(primary),
    "on-primary": hex(textOn(primary)),
    "primary-pressed": hex(pressed(primary)),
    "primary-line": hex(readable(primary, surface, 3)),
    link: hex(link),
    tint: hex(mix(surface, link, 0.1)),
    focus: hex(link),
  };
}

/** The colors of pages and mails, light or dark. Every pair of text and background that they use has a contrast of at least 4.5, whatever the brand. */
export type Palette = ReturnType<typeof paletteOf>;

/** The colors of a branding, for what cannot use custom properties. */
export function palettesOf(branding: PageBranding): { readonly light: Palette; readonly dark: Palette } {
  const { light: day, dark: night } = grounded(branding);
  return { light: paletteOf(...day), dark: paletteOf(...night) };
}

type Grounded = Parameters<typeof paletteOf>;

function grounded({ primaryColor, pageBackground }: PageBranding): { readonly light: Grounded; readonly dark: Grounded } {
  const brand = parseColor(primaryColor) ?? ownPrimary;
  const page = backgroundOf(pageBackground);
  const darkPage: Background = page && [darkened(page[0]), page[1] && darkened(page[1]), page[2]];
  return { light: [light, brand, page], dark: [dark, inDarkMode(brand, dark.surface), darkPage] };
}

function variables(...[ground, primary, background]: Grounded): string {
  const colors = Object.entries(paletteOf(ground, primary, background)).map(([name, color]) => `--${name}:${color}`);
  return `${colors.join(";")};--backdrop:${backdrop(background, mix(ground.page, primary, 0.09))}`;
}

/** A tenant's own background: one color, or two with the degrees of the line between them. */
type Background = readonly [from: Color, to?: Color | undefined, degrees?: number | undefined] | undefined;

function backgroundOf(background: PageBranding["pageBackground"]): Background {
  if (typeof background !== "object") {
    const color = parseColor(background);
    return color && [color];
  }
  const [start, end] = [parseColor(background.start), parseColor(background.end)];
  return start && end && [start, end, Number.isFinite(background.angle) ? background.angle : 0];
}

/** What lies over the page's color: a tenant's gradient, nothing where it has a color, and a glow where it has none. */
function backdrop(background: Background, glow: Color): string {
  if (background === undefined) return `radial-gradient(60rem 28rem at 50% 0,${hex(glow)},transparent) no-repeat`;
  const [start, end, degrees = 0] = background;
  return end === undefined ? "none" : `linear-gradient(${degrees}deg,${hex(start)},${hex(end)}) fixed`;
}

/** The branding as custom properties. */
export function themeCss(branding: PageBranding): string {
  const { light: day, dark: night } = grounded(branding);
  return `:root{color-scheme:light dark;${variables(...day)}}@media (prefers-color-scheme:dark){:root{${variables(...night)}}}`;
}
