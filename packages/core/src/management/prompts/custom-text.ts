import * as z from "zod";
import { maximumDocumentBytes, customTextsSchema } from "../../model/prompts/bodies.ts";
import { findTextFault } from "../../model/prompts/custom-texts.ts";
import { invalidBody } from "../../model/settings.ts";
import { promptNameSchema, textLanguageSchema } from "../../model/prompts/names.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { requireMaximumBytes } from "../kit/stored-document.ts";
import { findOne } from "../../store/find-one.ts";

const path = "/api/v2/prompts/:prompt/custom-text/:language";
const params = z.object({ prompt: promptNameSchema, language: textLanguageSchema });

/** The routes for custom texts on the login pages. */
export const customText = [
  route({
    method: "GET",
    path,
    summary: "Get a prompt's texts in a language",
    description: "Returns the custom texts of the tenant, or an empty object if it has none.",
    scopes: ["read:prompts"],
    params,
    responses: { 200: customTextsSchema },
  })(async ({ params: where }, { tenant }) => {
    const row = await findOne(tenant.data.custom_texts, where);
    return customTextsSchema.parse(row?.texts ?? {});
  }),
  route({
    method: "PUT",
    path,
    summary: "Replace a prompt's texts in a language",
    description:
      "Pages use the new texts from the next request on. Returns the stored texts. An empty object deletes all texts; an empty text selects the default text.",
    scopes: ["update:prompts"],
    params,
    body: customTextsSchema,
    responses: { 200: customTextsSchema },
  })(async ({ params: where, body }, { tenant }) => {
    const fault = findTextFault(where.prompt, body);
    if (fault !== undefined) throw invalidBody(fault);
    const set = { texts: requireMaximumBytes(body, maximumDocumentBytes), updated_at: tenant.now() };
    if (Object.keys(body).length === 0) await tenant.data.custom_texts.delete(where);
    // The last write wins. If two requests write the first texts at the same time, one of them inserts the row and the
    // other updates it.
    else if (
      (await tenant.data.custom_texts.update(where, { set })) === 0 &&
      !(await tenant.data.custom_texts.insert([{ ...where, ...set }]))
    )
      await tenant.data.custom_texts.update(where, { set });
    return body;
  }),
];
