import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";
import { metadataSchema } from "../fields.ts";
import { fact, nullableFields, readStored, storedOnlyFields } from "../settings.ts";
import { promptNameSchema, screenNameSchema } from "./names.ts";

const filter = z.array(metadataSchema).max(100);

const clearable = {
  context_configuration: z.array(z.string().max(256)).max(100),
  default_head_tags_disabled: z.boolean(),
  use_page_template: z.boolean(),
  head_tags: z.array(metadataSchema).max(50),
  filters: z
    .strictObject({ match_type: z.enum(["includes_any", "excludes_any"]), clients: filter, organizations: filter, domains: filter })
    .exactPartial(),
};

const settings = storedOnlyFields({ rendering_mode: z.enum(["advanced", "standard"]), ...nullableFields(clearable) });

/** The settings for how Auth0 renders one screen. Postern always renders its own pages. */
export const renderingSchema = z
  .strictObject({
    tenant: fact(z.string()),
    prompt: fact(z.string()),
    screen: fact(z.string()),
    ...z.strictObject(settings).exactPartial().shape,
    rendering_mode: settings.rendering_mode,
  })
  .meta({ id: "Rendering" });

/**
 * The body of a request that updates one screen, and its response. Omitted settings stay unchanged; `null` removes a
 * setting.
 */
export const updateRenderingSchema = z.strictObject(settings).exactPartial().meta({ id: "UpdateRendering" });

/** The body of a request that updates several screens, and its response. */
export const updateRenderingsSchema = z
  .strictObject({
    configs: z
      .array(z.strictObject({ prompt: promptNameSchema, screen: screenNameSchema, ...updateRenderingSchema.shape }))
      .min(1)
      .max(100),
  })
  .meta({ id: "UpdateRenderings" });

const defaults = {
  rendering_mode: "standard",
  context_configuration: [] as string[],
  default_head_tags_disabled: false,
  use_page_template: false,
  head_tags: [] as JsonObject[],
} as const;

const storedSchema = z.object(settings).exactPartial();

/** Returns the rendering settings of one screen, including defaults. */
export function toRendering(tenant: string, prompt: string, screen: string, stored: JsonObject): z.infer<typeof renderingSchema> {
  return { tenant, prompt, screen, ...defaults, ...readStored(storedSchema, stored) };
}
