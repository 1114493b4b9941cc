import * as z from "zod";
import { storedOnly } from "../settings.ts";

/** Maximum size of a template in bytes. */
export const maximumTemplateBytes = 102_400;

/** Auth0's template around its login pages, as the Management API returns it. */
export const pageTemplateSchema = z.strictObject({ body: storedOnly(z.string()) }).meta({ id: "PageTemplate" });

const requiredTags = "must contain the tags {%- auth0:head -%} and {%- auth0:widget -%}";

const template = z
  .string()
  .max(maximumTemplateBytes)
  .regex(/\{%-?\s*auth0:head\s*-?%\}/, requiredTags)
  .regex(/\{%-?\s*auth0:widget\s*-?%\}/, requiredTags);

/**
 * The body of `PUT /api/v2/branding/templates/universal-login`: an object with the template, or the template as a JSON
 * string, which Auth0's Go SDK and Terraform provider send.
 */
export const setPageTemplateSchema = z
  .union([z.strictObject({ template }), template], { error: "must be an object with a template, or a template" })
  .meta({ id: "SetPageTemplate" });
