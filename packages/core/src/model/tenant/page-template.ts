import * as z from "zod";
import { storedOnly } from "../settings.ts";

/** Maximum size of a template in bytes. */
export const maximumTemplateBytes = 102_400;

/** Auth0's template around its login pages, as the Management API returns it. */
export const pageTemplateSchema = z.strictObject({ body: storedOnly(z.string()) }).meta({ id: "PageTemplate" });

/** The body of `PUT /api/v2/branding/templates/universal-login`. */
export const setPageTemplateSchema = z
  .strictObject({
    template: z
      .string()
      .max(maximumTemplateBytes)
      .refine((text) => ["head", "widget"].every((tag) => new RegExp(`\\{%-?\\s*auth0:${tag}\\s*-?%\\}`).test(text)), {
        error: "must contain the tags {%- auth0:head -%} and {%- auth0:widget -%}",
      }),
  })
  .meta({ id: "SetPageTemplate" });
