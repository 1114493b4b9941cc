import type { Theme } from "../model/tenant/theme.ts";
import type { PageBranding } from "./branding.ts";
import { imageUrl } from "./images.ts";

/**
 * Returns the branding settings that are not colors, as CSS custom properties: lengths, weights, the font and the
 * background image. The style sheet has a default for each property.
 */
export function shapeCss({ theme, fontUrl, backgroundImageUrl }: PageBranding): string {
  const font = imageUrl(fontUrl);
  const picture = imageUrl(backgroundImageUrl);
  const properties = [
    ...(theme === undefined ? [] : themeProperties(theme)),
    ...(font === undefined ? [] : ["font:Own"]),
    ...(picture === undefined ? [] : [`backdrop:url("${escaped(picture)}") center/cover fixed`]),
  ];
  return (
    (font === undefined ? "" : `@font-face{font-family:Own;src:url("${escaped(font)}");font-display:swap}`) +
    (properties.length === 0 ? "" : `:root{${properties.map((property) => `--${property}`).join(";")}}`)
  );
}

/** Escapes every character in a URL that could end a string in CSS or in HTML. */
function escaped(address: string): string {
  return address.replaceAll(/["'\\()<>\s]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function themeProperties({ borders, fonts, page_background, widget }: Theme): readonly string[] {
  return [
    `button-radius:${radius(borders.buttons_style, borders.button_border_radius)}`,
    `input-radius:${radius(borders.inputs_style, borders.input_border_radius)}`,
    `card-radius:${borders.widget_corner_radius}px`,
    // Without a border, a field or a button could be invisible.
    `button-edge:${Math.max(1, borders.button_border_weight)}px`,
    `input-edge:${Math.max(1, borders.input_border_weight)}px`,
    `card-edge:${borders.widget_border_weight}px`,
    ...(borders.show_widget_shadow ? [] : ["card-shadow:none"]),
    // The size is relative to the font size in the user's browser, not in pixels.
    `reference:${(fonts.reference_text_size / 16) * 100}%`,
    ...textProperties("title", fonts.title),
    ...textProperties("lead", fonts.subtitle),
    ...textProperties("body", fonts.body_text),
    ...textProperties("button", fonts.buttons_text),
    ...textProperties("label", fonts.input_labels),
    ...textProperties("link", fonts.links),
    `link-line:${fonts.links_style === "underlined" ? "underline" : "none"}`,
    `place:${page_background.page_layout}`,
    `align:${widget.header_text_alignment}`,
    `logo-height:${widget.logo_height}px`,
    widget.logo_position === "none" ? "logo-display:none" : `logo-align:${widget.logo_position}`,
  ];
}

function radius(style: Theme["borders"]["buttons_style"], pixels: number): string {
  return { sharp: "0", pill: "1.5rem", rounded: `${pixels}px` }[style];
}

/** Returns the properties of a kind of text. Text below 75 percent of the default size would be unreadable. */
function textProperties(name: string, { size, bold }: Theme["fonts"]["title"]): readonly string[] {
  return [`${name}-size:${Math.max(75, size) / 100}rem`, `${name}-weight:${bold ? 700 : 400}`];
}
