import * as z from "zod";
import { partialsSchema } from "../../model/prompts/bodies.ts";
import { promptWithPartialsSchema } from "../../model/prompts/names.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { changeDocument, findDocument } from "../kit/stored-document.ts";

const path = "/api/v2/prompts/:prompt/partials";
const params = z.object({ prompt: promptWithPartialsSchema });

/**
 * The routes for partials, which are snippets of HTML. They are stored for compatibility with Auth0's tools. No page
 * contains them, because the Content-Security-Policy of the login pages blocks external markup and scripts.
 */
export const partials = [
  route({
    method: "GET",
    path,
    summary: "Get a prompt's partials",
    scopes: ["read:prompts"],
    params,
    responses: { 200: partialsSchema },
  })(async ({ params: { prompt } }, { tenant }) => {
    return partialsSchema.parse((await findDocument(tenant, "partials", prompt)).content);
  }),
  route({
    method: "PUT",
    path,
    summary: "Replace a prompt's partials",
    description: "Partials are stored and returned. They have no effect in Postern.",
    scopes: ["update:prompts"],
    params,
    body: partialsSchema,
    responses: { 200: partialsSchema, 409: { error: "conflict" } },
  })(async ({ params: { prompt }, body }, { tenant }) => {
    await changeDocument(tenant, "partials", prompt, () => ({ content: body }));
    return body;
  }),
];
