import * as z from "zod";
import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import { promptNameSchema, screenNameSchema } from "../../model/prompts/names.ts";
import { renderingSchema, toRendering, updateRenderingSchema, updateRenderingsSchema } from "../../model/prompts/rendering.ts";
import { mergeSettings } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { changeDocument, findDocument } from "../kit/stored-document.ts";
import { pageReply } from "../kit/slice.ts";

const path = "/api/v2/prompts/rendering";
const screenPath = "/api/v2/prompts/:prompt/screen/:screen/rendering";
const params = z.object({ prompt: promptNameSchema, screen: screenNameSchema });

const querySchema = pageQuerySchema.extend({
  prompt: z.string().max(64).exactOptional(),
  screen: z.string().max(160).exactOptional(),
  rendering_mode: z.enum(["advanced", "standard"]).exactOptional(),
});

/**
 * The routes for the rendering settings of Auth0's login pages. The settings are stored for compatibility with Auth0's
 * tools and have no effect.
 */
export const rendering = [
  route({
    method: "GET",
    path,
    summary: "List the rendering settings of screens",
    description: "Returns the screens that have settings. The settings are stored and returned. They have no effect in Postern.",
    scopes: ["read:prompts"],
    query: querySchema,
    responses: { 200: listResponse("configs", renderingSchema) },
  })(async ({ query: { prompt, screen, rendering_mode, ...query } }, { tenant }) => {
    const wanted = { prompt, screen, rendering_mode };
    const all = await renderings(tenant);
    const found = all.filter((one) => Object.entries(one).every(([name, value]) => [undefined, value].includes(Reflect.get(wanted, name))));
    return pageReply(tenant, query, found, { key: "configs", list: ["rendering", prompt ?? "", screen ?? "", rendering_mode ?? ""] });
  }),
  route({
    method: "PATCH",
    path,
    summary: "Update the rendering settings of screens",
    description: "Omitted members stay unchanged. `null` removes a setting.",
    scopes: ["update:prompts"],
    body: updateRenderingsSchema,
    responses: { 200: updateRenderingsSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const configs = [];
    for (const { prompt, screen, ...change } of body.configs)
      configs.push({ prompt, screen, ...(await changed(tenant, prompt, screen, change)) });
    return { configs };
  }),
  route({
    method: "GET",
    path: screenPath,
    summary: "Get the rendering settings of a screen",
    scopes: ["read:prompts"],
    params,
    responses: { 200: renderingSchema },
  })(async ({ params: { prompt, screen } }, { tenant }) => {
    return toRendering(tenant.id, prompt, screen, (await findDocument(tenant, "rendering", `${prompt}/${screen}`)).content);
  }),
  route({
    method: "PATCH",
    path: screenPath,
    summary: "Update the rendering settings of a screen",
    description: "Omitted members stay unchanged. `null` removes a setting.",
    scopes: ["update:prompts"],
    params,
    body: updateRenderingSchema,
    responses: { 200: updateRenderingSchema, 409: { error: "conflict" } },
  })(async ({ params: { prompt, screen }, body }, { tenant }) => {
    return changed(tenant, prompt, screen, body);
  }),
];

async function renderings(tenant: RequestTenant): Promise<readonly z.infer<typeof renderingSchema>[]> {
  const rows = await readAll(tenant.data.stored_documents, schema.stored_documents.key, { kind: "rendering" });
  return rows.map(({ name, content }) => {
    const [prompt = "", screen = ""] = name.split("/");
    return toRendering(tenant.id, prompt, screen, content);
  });
}

async function changed(
  tenant: RequestTenant,
  prompt: string,
  screen: string,
  change: z.infer<typeof updateRenderingSchema>,
): Promise<z.infer<typeof updateRenderingSchema>> {
  const { content } = await changeDocument(tenant, "rendering", `${prompt}/${screen}`, (stored) => ({
    content: mergeSettings(stored.content, change),
  }));
  const { tenant: _, prompt: __, screen: ___, ...shown } = toRendering(tenant.id, prompt, screen, content);
  return shown;
}
