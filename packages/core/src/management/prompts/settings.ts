import {
  fromUpdatePromptSettings,
  promptSettingsSchema,
  toPromptSettings,
  updatePromptSettingsSchema,
} from "../../model/prompts/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { changeDocument, findDocument } from "../kit/stored-document.ts";

const path = "/api/v2/prompts";

/**
 * The routes for the prompt settings of Auth0's login. The settings are stored for compatibility with Auth0's tools and
 * have no effect.
 */
export const promptSettings = [
  route({
    method: "GET",
    path,
    summary: "Get the settings of the prompts",
    scopes: ["read:prompts"],
    responses: { 200: promptSettingsSchema },
  })(async (_, { tenant }) => toPromptSettings((await findDocument(tenant, "prompts", "")).content)),
  route({
    method: "PATCH",
    path,
    summary: "Update the settings of the prompts",
    description: "Omitted members stay unchanged.",
    scopes: ["update:prompts"],
    body: updatePromptSettingsSchema,
    responses: { 200: promptSettingsSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const { content } = await changeDocument(tenant, "prompts", "", (stored) => ({
      content: fromUpdatePromptSettings(stored.content, body),
    }));
    return toPromptSettings(content);
  }),
];
