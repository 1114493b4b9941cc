/** A color as red, green and blue, each from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

const white: Color = [255, 255, 255];
const ink: Color = [20, 22, 26];
const black: Color = [0, 0, 0];

/**
 * Reads `#rgb`, `#rrggbb`, and the same with opacity. Anything else is not a color here, so nothing else can get into a style sheet.
 * @param below what shows through a color that is not opaque.
 */
export function parseColor(text: string | undefined, below: Color = white): Color | undefined {
  const digits = /^#((?:[0-9a-f]{3}){1,2}|(?:[0-9a-f]{4}){1,2})$/i.exec(text ?? "")?.[1];
  if (digits === undefined) return undefined;
  const long = digits.length > 4 ? digits : digits.replaceAll(/./g, "$&$&");
  const channel = (index: number): number => Number.parseInt(long.slice(2 * index, 2 * index + 2), 16);
  const color: Color = [channel(0), channel(1), channel(2)];
  return long.length === 8 ? mix(below, color, channel(3) / 255) : color;
}

/** Writes a color as `#rrggbb`. */
export function hex(color: Color): string {
  return `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** Relative luminance as WCAG 2.2 defines it: 0 is black, 1 is white. */
export function luminance(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Contrast ratio as WCAG 2.2 defines it, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A color on its way to another: 0 is the first, 1 the second. */
export function mix(from: Color, to: Color, share: number): Color {
  const channel = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
}

/** A color for text on this one, with a contrast of at least 4.5: white where that is enough, then ink, then black. */
export function textOn(background: Color): Color {
  return [white, ink].find((color) => contrast(color, background) >= 4.5) ?? black;
}

/** The color itself, or the nearest lighter or darker one of its hue that has this contrast. The background is far from middle grey. */
export function readable(color: Color, background: Color, ratio: number): Color {
  const target = luminance(background) > 0.18 ? black : white;
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(color, target, share);
    if (contrast(candidate, background) >= ratio) return candidate;
  }
  return target;
}

/** The color, moved towards white or black until any text can be set on it: middle greys take no color of text well. */
export function groundFor(color: Color): Color {
  const [end, text] = luminance(color) > 0.18 ? [white, black] : [black, white];
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(color, end, share);
    if (contrast(candidate, text) >= 13) return candidate;
  }
  return end;
}

/** What a button of this color turns to under the pointer: away from its text, so that its contrast only grows. */
export function pressed(color: Color, text: Color = textOn(color)): Color {
  return mix(color, luminance(text) > luminance(color) ? black : white, 0.14);
}

/** A brand's color on a dark surface: as it is or lighter, so that it stands out. Black becomes white: it would otherwise be a dull grey. */
export function inDarkMode(brand: Color, surface: Color): Color {
  const colorless = Math.max(...brand) - Math.min(...brand) < 24;
  return colorless && luminance(brand) < 0.1 ? mix(brand, white, 0.92) : readable(brand, surface, 3);
}

/** The color's hue as a background for dark mode. */
export function darkened(color: Color): Color {
  let dark = color;
  for (let share = 0.1; luminance(dark) > 0.007 && share <= 1; share += 0.05) dark = mix(color, black, share);
  return dark;
}
