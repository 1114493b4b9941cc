import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { isObject, type Json, type JsonObject } from "../../store/value.ts";
import { webUrl } from "../fields.ts";
import { notEmpty } from "../member-count.ts";
import { readStored, storedReader } from "../settings.ts";

const httpsUrl = webUrl("https", 2048);
const color = z.string().regex(/^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, "must be a color such as #0a84ff");

const gradient = z.strictObject({
  type: z.literal("linear-gradient"),
  start: color,
  end: color,
  angle_deg: z.int().min(0).max(360),
});

const shown = {
  colors: z.strictObject({ primary: color, page_background: z.union([color, gradient]) }).exactPartial(),
  logo_url: httpsUrl,
  logo_url_dark: httpsUrl.meta({
    description: "A Postern extension: displayed instead of `logo_url` on dark pages",
  }),
  favicon_url: httpsUrl,
  font: z
    .strictObject({ url: httpsUrl.meta({ description: "URL of a font file. Its server must allow requests from other origins (CORS)" }) })
    .exactPartial(),
};

/** The branding of the login pages as the Management API returns it. Settings that were never set are absent. */
export const brandingSchema = z.strictObject(shown).exactPartial().meta({ id: "Branding" });

/**
 * The body of `PATCH /api/v2/branding`. Omitted settings and omitted colors stay unchanged; `null` removes a setting.
 */
export const updateBrandingSchema = z
  .strictObject({
    colors: notEmpty(
      z.strictObject({ primary: color.nullable(), page_background: z.union([color, gradient]).nullable() }).exactPartial(),
    ).nullable(),
    logo_url: httpsUrl.nullable(),
    logo_url_dark: httpsUrl.nullable(),
    favicon_url: httpsUrl.nullable(),
    font: notEmpty(z.strictObject({ url: httpsUrl.nullable() }).exactPartial()).nullable(),
  })
  .exactPartial()
  .meta({ id: "UpdateBranding" });

/** The response of `POST /api/v2/branding/preview`. */
export const brandingPreviewSchema = z.strictObject({ html: z.string() }).meta({ id: "BrandingPreview" });

/** The schema of the `branding` column. Members that a later version added are ignored but stay stored. */
const storedSchema = z.object(shown).exactPartial();

const readBranding = storedReader((stored) => readStored(storedSchema, stored));

/** Converts a tenant's branding to the Management API format. */
export function toBranding({ branding }: Pick<Row<"tenants">, "branding">): z.infer<typeof brandingSchema> {
  return readBranding(branding);
}

/** Returns the `branding` column of a tenant after a change. */
export function fromUpdateBranding({ branding }: Pick<Row<"tenants">, "branding">, body: z.infer<typeof updateBrandingSchema>): JsonObject {
  return merge(branding, body);
}

/** Merges at every level. Removes members that are null and objects that are empty after the merge. */
function merge(stored: JsonObject, change: { readonly [name: string]: Json }): JsonObject {
  const entries = Object.entries({ ...stored, ...change }).flatMap(([name, value]): [string, Json][] => {
    const sent = Object.hasOwn(change, name);
    if (!sent) return [[name, value]];
    if (value === null) return [];
    if (!isObject(value)) return [[name, value]];
    const before = stored[name];
    const merged = "type" in value ? value : merge(isObject(before) && !("type" in before) ? before : {}, value);
    return Object.keys(merged).length === 0 ? [] : [[name, merged]];
  });
  return Object.fromEntries(entries);
}
