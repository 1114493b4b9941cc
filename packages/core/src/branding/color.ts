/** A color as red, green and blue, each from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

const white: Color = [255, 255, 255];
const ink: Color = [20, 22, 26];
const black: Color = [0, 0, 0];

/**
 * Parses `#rgb`, `#rrggbb`, and both with opacity. Returns undefined for any other text, so that it cannot get into a
 * style sheet.
 * @param below the color that a color with opacity is mixed with.
 */
export function parseColor(text: string | undefined, below: Color = white): Color | undefined {
  const digits = /^#((?:[0-9a-f]{3}){1,2}|(?:[0-9a-f]{4}){1,2})$/i.exec(text ?? "")?.[1];
  if (digits === undefined) return undefined;
  const long = digits.length > 4 ? digits : digits.replaceAll(/./g, "$&$&");
  const channel = (index: number): number => Number.parseInt(long.slice(2 * index, 2 * index + 2), 16);
  const color: Color = [channel(0), channel(1), channel(2)];
  return long.length === 8 ? mix(below, color, channel(3) / 255) : color;
}

/** Formats a color as `#rrggbb`. */
export function hex(color: Color): string {
  return `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the relative luminance as WCAG 2.2 defines it: 0 for black, 1 for white. */
export function luminance(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Returns the contrast ratio as WCAG 2.2 defines it, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [first, second] = [luminance(one), luminance(other)];
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

/** Mixes two colors. A `share` of 0 returns the first color, 1 the second. */
export function mix(from: Color, to: Color, share: number): Color {
  const channel = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
}

/**
 * Returns a text color with a contrast ratio of at least 4.5 to the background: white if its contrast is sufficient,
 * otherwise a dark ink color, otherwise black.
 */
export function textOn(background: Color): Color {
  return [white, ink].find((color) => contrast(color, background) >= 4.5) ?? black;
}

/**
 * Returns the color if its contrast to the background is sufficient. Otherwise returns the nearest lighter or darker
 * color of the same hue with sufficient contrast. The background must not be close to middle grey.
 */
export function readable(color: Color, background: Color, ratio: number): Color {
  const target = luminance(background) > 0.18 ? black : white;
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(color, target, share);
    if (contrast(candidate, background) >= ratio) return candidate;
  }
  return target;
}

/**
 * Makes a background lighter or darker until black or white text has a high contrast on it. On a middle grey, neither
 * has.
 */
export function groundFor(color: Color): Color {
  const [end, text] = luminance(color) > 0.18 ? [white, black] : [black, white];
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(color, end, share);
    if (contrast(candidate, text) >= 13) return candidate;
  }
  return end;
}

/**
 * Returns the color of a button that is being pressed. The color moves away from the text color, so that the contrast
 * increases.
 */
export function pressed(color: Color, text: Color = textOn(color)): Color {
  return mix(color, luminance(text) > luminance(color) ? black : white, 0.14);
}

/**
 * Returns a brand's color for a dark surface. A color that does not stand out becomes lighter. Black becomes almost
 * white, because it would otherwise become a dull grey.
 */
export function inDarkMode(brand: Color, surface: Color): Color {
  const colorless = Math.max(...brand) - Math.min(...brand) < 24;
  return colorless && luminance(brand) < 0.1 ? mix(brand, white, 0.92) : readable(brand, surface, 3);
}

/** Returns a dark background of the same hue, for dark mode. */
export function darkened(color: Color): Color {
  let dark = color;
  for (let share = 0.1; luminance(dark) > 0.007 && share <= 1; share += 0.05) dark = mix(color, black, share);
  return dark;
}
