import type { Theme } from "../model/tenant/theme.ts";
import { contrast, groundFor, hex, luminance, mix, parseColor, readable, type Color } from "./color.ts";

/** The colors that differ between light and dark mode and do not depend on the brand's color. */
export interface Ground {
  readonly surface: Color;
  readonly page: Color;
  readonly fixed: { readonly [Name in FixedName]: string };
  /** The theme's values for colors that otherwise depend on the brand's color. */
  readonly wishes?: {
    readonly link: Color | undefined;
    readonly focus: Color | undefined;
    readonly onPrimary: Color | undefined;
    readonly pressed: Color | undefined;
  };
}

type FixedName =
  | "text"
  | "muted"
  | "title"
  | "label"
  | "typed"
  | "icon"
  | "line"
  | "card-line"
  | "field"
  | "field-line"
  | "second-line"
  | "second-text"
  | "quiet"
  | "danger"
  | "danger-tint"
  | "danger-line"
  | "good"
  | "good-tint"
  | "shadow";

export const light: Ground = {
  surface: [255, 255, 255],
  page: [243, 244, 247],
  fixed: {
    text: "#191c22",
    muted: "#565d6a",
    title: "#191c22",
    label: "#191c22",
    typed: "#191c22",
    icon: "#565d6a",
    line: "#e2e5ea",
    "card-line": "#e2e5ea",
    field: "#fff",
    "field-line": "#868d9a",
    "second-line": "#868d9a",
    "second-text": "#191c22",
    quiet: "#f5f6f8",
    danger: "#b0241c",
    "danger-tint": "#fdf1f0",
    "danger-line": "#f0c9c5",
    good: "#1a7f4b",
    "good-tint": "#e9f6ef",
    shadow: "16 24 40",
  },
};

export const dark: Ground = {
  surface: [27, 30, 36],
  page: [16, 18, 22],
  fixed: {
    text: "#eceef2",
    muted: "#a9b0bd",
    title: "#eceef2",
    label: "#eceef2",
    typed: "#eceef2",
    icon: "#a9b0bd",
    line: "#333842",
    "card-line": "#333842",
    field: "#15171c",
    "field-line": "#7c8493",
    "second-line": "#7c8493",
    "second-text": "#eceef2",
    quiet: "#23272e",
    danger: "#ffa49b",
    "danger-tint": "#382120",
    "danger-line": "#63332f",
    good: "#6fd6a2",
    "good-tint": "#1a3328",
    shadow: "0 0 0",
  },
};

/** Whether the surface is so dark that it needs light text. */
export function isDark({ surface }: Ground): boolean {
  return luminance(surface) <= 0.18;
}

/** Returns the colors in a theme. A color with too little contrast is replaced by the nearest readable color. */
export function themedGround(colors: Theme["colors"]): Ground {
  const surface = groundFor(parseColor(colors.widget_background) ?? light.surface);
  const read = (text: string | undefined): Color | undefined => parseColor(text, surface);
  const base = luminance(surface) <= 0.18 ? dark : light;
  const wish = read(colors.input_background) ?? surface;
  // If a field were light on a dark page, or dark on a light page, no focus color would stand out from both.
  const field = luminance(wish) <= 0.18 === isDark(base) ? groundFor(wish) : surface;
  const on = (text: string, ratio: number): Color => readable(read(text) ?? surface, surface, ratio);
  const edge = (text: string): Color => readable(on(text, 3), field, 3);
  const text = readable(on(colors.body_text, 7), field, 7);
  const [danger, good] = [on(colors.error, 5.8), on(colors.success, 5.8)];
  const fixed: { readonly [Name in Exclude<FixedName, "shadow">]: Color } = {
    text,
    muted: readable(mix(text, surface, 0.3), surface, 5.8),
    title: on(colors.header, 4.5),
    label: on(colors.input_labels_placeholders, 4.5),
    typed: readable(read(colors.input_filled_text) ?? text, field, 4.5),
    icon: readable(on(colors.icons, 3.5), field, 3),
    line: mix(surface, text, 0.12),
    "card-line": read(colors.widget_border) ?? surface,
    field,
    "field-line": edge(colors.input_border),
    "second-line": edge(colors.secondary_button_border),
    "second-text": on(colors.secondary_button_label, 5.8),
    quiet: mix(surface, text, 0.04),
    danger,
    "danger-tint": mix(surface, danger, 0.08),
    "danger-line": mix(surface, danger, 0.3),
    good,
    "good-tint": mix(surface, good, 0.08),
  };
  const named = Object.fromEntries(Object.entries(fixed).map(([name, color]) => [name, hex(color)]));
  return {
    surface,
    page: base.page,
    fixed: { ...base.fixed, ...named },
    wishes: {
      link: read(colors.links_focused_components),
      focus: read(colors.base_focus_color),
      onPrimary: read(colors.primary_button_label),
      pressed: read(colors.base_hover_color),
    },
  };
}

/** Returns `color` if its contrast to `beside` is at least `ratio`, and `otherwise` if not. */
export function wished(color: Color | undefined, beside: Color, ratio: number, otherwise: Color): Color {
  return color !== undefined && contrast(color, beside) >= ratio ? color : otherwise;
}
