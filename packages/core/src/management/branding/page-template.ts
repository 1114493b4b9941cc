import { PosternError } from "../../errors.ts";
import { Reply } from "../../http/route.ts";
import { maximumTemplateBytes, pageTemplateSchema, setPageTemplateSchema } from "../../model/tenant/page-template.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { changeDocument, findDocument } from "../kit/stored-document.ts";

const path = "/api/v2/branding/templates/universal-login";

/**
 * The routes for Auth0's template around its login pages. The template is stored for compatibility with Auth0's tools.
 * It has no effect in Postern, because it contains external markup and scripts.
 */
export const pageTemplate = [
  route({
    method: "GET",
    path,
    summary: "Get the template of the login pages",
    scopes: ["read:branding"],
    responses: { 200: pageTemplateSchema, 404: "inexistent_templates_universal_login" },
  })(async (_, { tenant }) => {
    const { content } = await findDocument(tenant, "page-template", "");
    const { data } = pageTemplateSchema.safeParse(content);
    if (data !== undefined) return data;
    throw new PosternError("not_found", "the tenant has no template", { errorCode: "inexistent_templates_universal_login" });
  }),
  route({
    method: "PUT",
    path,
    summary: "Set the template of the login pages",
    description: "The template is stored and returned. It has no effect on the login pages. Returns 201 the first time, then 204.",
    scopes: ["update:branding"],
    body: setPageTemplateSchema,
    responses: { 201: null, 204: null, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const template = typeof body === "string" ? body : body.template;
    // The limit applies to the template. The factor of 2 allows for the quotation marks and escapes that JSON adds.
    const { made } = await changeDocument(tenant, "page-template", "", () => ({ content: { body: template } }), {
      limit: 2 * maximumTemplateBytes,
    });
    return new Reply(undefined, { status: made ? 201 : 204 });
  }),
  route({
    method: "DELETE",
    path,
    summary: "Delete the template of the login pages",
    description: "Returns 204 even if there is no template, so that a call can be retried.",
    scopes: ["delete:branding"],
    responses: { 204: null },
  })(async (_, { tenant }) => {
    await tenant.data.stored_documents.delete({ kind: "page-template", name: "" });
  }),
];
