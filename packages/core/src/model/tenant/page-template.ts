import * as z from "zod";
import { storedOnly } from "../settings.ts";

/** Maximum size of a template in bytes. */
export const maximumTemplateBytes = 102_400;

/** Auth0's template around its login pages, as the Management API returns it. */
export const pageTemplateSchema = z.strictObject({ body: storedOnly(z.string()) }).meta({ id: "PageTemplate" });

const template = z
  .string()
  .max(maximumTemplateBytes)
  .refine((text) => ["head", "widget"].every((tag) => new RegExp(`\\{%-?\\s*auth0:${tag}\\s*-?%\\}`).test(text)), {
    error: "must contain the tags {%- auth0:head -%} and {%- auth0:widget -%}",
  });

/**
 * The body of `PUT /api/v2/branding/templates/universal-login`: an object with the template, or the template as a JSON
 * string, which Auth0's Go SDK and Terraform provider send.
 */
export const setPageTemplateSchema = z
  .union([z.strictObject({ template }), template], { error: "must be an object with a template, or a template" })
  .meta({ id: "SetPageTemplate" });
