import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";
import { webUrl } from "../fields.ts";
import { fact, storedOnly } from "../settings.ts";

const color = z.string().regex(/^#(([0-9a-fA-F]{3}){1,2}|([0-9a-fA-F]{4}){1,2})$/, "must be a color such as #0a84ff");
const httpsUrlOrEmpty = z.union([z.literal(""), webUrl("https", 2048)]);
const shape = z.enum(["pill", "rounded", "sharp"]);
const flag = z.boolean();

/** A text size in percent of the reference text size. */
const textSize = (minimum: number) => z.strictObject({ bold: flag, size: z.number().min(minimum).max(150) });

const borders = z.strictObject({
  button_border_radius: z.number().min(1).max(10),
  button_border_weight: z.number().min(0).max(10),
  buttons_style: shape,
  input_border_radius: z.number().min(0).max(10),
  input_border_weight: z.number().min(0).max(3),
  inputs_style: shape,
  show_widget_shadow: flag,
  widget_border_weight: z.number().min(0).max(10),
  widget_corner_radius: z.number().min(0).max(50),
});

const colors = z.strictObject({
  ...z
    .strictObject({
      base_focus_color: color,
      base_hover_color: color,
      captcha_widget_theme: storedOnly(z.enum(["auto", "dark", "light"]), "The login pages have no captcha"),
      read_only_background: storedOnly(color),
    })
    .exactPartial().shape,
  body_text: color,
  error: color,
  header: color,
  icons: color,
  input_background: color,
  input_border: color,
  input_filled_text: color,
  input_labels_placeholders: color,
  links_focused_components: color,
  primary_button: color,
  primary_button_label: color,
  secondary_button_border: color,
  secondary_button_label: color,
  success: color,
  widget_background: color,
  widget_border: color,
});

const fonts = z.strictObject({
  body_text: textSize(0),
  buttons_text: textSize(0),
  font_url: httpsUrlOrEmpty,
  input_labels: textSize(0),
  links: textSize(0),
  links_style: z.enum(["normal", "underlined"]),
  reference_text_size: z.number().min(12).max(24).meta({ description: "Pixels. A browser's default text size is 16" }),
  subtitle: textSize(0),
  title: textSize(75),
});

const page_background = z.strictObject({
  background_color: color,
  background_image_url: httpsUrlOrEmpty,
  page_layout: z.enum(["center", "left", "right"]),
});

const widget = z.strictObject({
  header_text_alignment: z.enum(["center", "left", "right"]),
  logo_height: z.number().min(1).max(100),
  logo_position: z.enum(["center", "left", "none", "right"]),
  logo_url: httpsUrlOrEmpty,
  social_buttons_layout: storedOnly(z.enum(["bottom", "top"])),
});

const displayName = z
  .string()
  .max(2048)
  .regex(/^[^<>]*$/, "must not contain < or >");

const settings = { borders, colors, fonts, page_background, widget };

/** The theme of the login pages, as the Management API returns it. */
export const themeSchema = z
  .strictObject({ themeId: fact(z.string().regex(/^[a-zA-Z0-9]{32}$/)), displayName: fact(displayName), ...settings })
  .meta({ id: "BrandingTheme" });

/** The body of a request that creates a theme or updates it. An update replaces the whole theme. */
export const writeThemeSchema = z
  .strictObject({ displayName: displayName.exactOptional(), ...settings })
  .meta({ id: "WriteBrandingTheme" });

export type Theme = z.infer<typeof themeSchema>;
export type WriteTheme = z.infer<typeof writeThemeSchema>;

/** Returns the theme of a tenant. A tenant has at most one theme, which is stored in its branding. */
export function themeOf(branding: JsonObject): Theme | undefined {
  // A theme that a later version stored and that this version cannot parse is ignored.
  return themeSchema.safeParse(branding["theme"], { jitless: true }).data;
}
