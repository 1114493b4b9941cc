import { maximumDocumentBytes, customTextsSchema } from "../../model/prompts/bodies.ts";
import { findTextFault } from "../../model/prompts/custom-texts.ts";
import { invalidBody } from "../../model/settings.ts";
import { prompts, textLanguages } from "../../model/prompts/names.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { requireMaximumBytes } from "../kit/stored-document.ts";
import { checkName } from "./path.ts";

const path = "/api/v2/prompts/:prompt/custom-text/:language";

/** The routes for custom texts on the login pages. */
export const customText = [
  route({
    method: "GET",
    path,
    summary: "Get a prompt's texts in a language",
    description: "Returns the custom texts of the tenant, or an empty object if it has none.",
    scopes: ["read:prompts"],
    responses: { 200: customTextsSchema },
  })(async ({ params }, { tenant }) => {
    const where = checked(params);
    const [row] = await tenant.data.custom_texts.find({ where, limit: 1 });
    return customTextsSchema.parse(row?.texts ?? {});
  }),
  route({
    method: "PUT",
    path,
    summary: "Replace a prompt's texts in a language",
    description:
      "Pages use the new texts from the next request on. Returns the stored texts. An empty object deletes all texts; an empty text selects the default text.",
    scopes: ["update:prompts"],
    body: customTextsSchema,
    responses: { 200: customTextsSchema },
  })(async ({ params, body }, { tenant }) => {
    const where = checked(params);
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

function checked({ prompt, language }: { readonly prompt: string; readonly language: string }): {
  readonly language: string;
  readonly prompt: string;
} {
  checkName(prompts, prompt, "a prompt");
  checkName(textLanguages, language, "a language that texts can be stored in");
  return { language, prompt };
}
