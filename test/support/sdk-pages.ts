import type { ManagementClient } from "auth0";
import { expect } from "vitest";
import { sampleTheme } from "../../packages/core/test/sample-theme.ts";

/** Calls the methods of Auth0's SDK for branding and page texts. */
export async function callPages(sdk: ManagementClient): Promise<void> {
  const { themeId: _, ...theme } = sampleTheme;
  const { themeId } = await sdk.branding.themes.create(theme);
  expect(await sdk.branding.themes.getDefault()).toEqual({ themeId, ...theme });
  expect(await sdk.branding.themes.update(themeId, { ...theme, displayName: "Spring" })).toMatchObject({ displayName: "Spring" });
  expect(await sdk.branding.themes.get(themeId)).toMatchObject({ displayName: "Spring" });
  await sdk.branding.themes.delete(themeId);

  const template = "{%- auth0:head -%}{%- auth0:widget -%}";
  await sdk.branding.templates.updateUniversalLogin({ template });
  expect(await sdk.branding.templates.getUniversalLogin()).toEqual({ body: template });
  await sdk.branding.templates.deleteUniversalLogin();

  expect(await sdk.prompts.updateSettings({ identifier_first: false })).toMatchObject({ identifier_first: false });
  expect(await sdk.prompts.getSettings()).toMatchObject({ identifier_first: false, universal_login_experience: "new" });
  const texts = { login: { title: "Hello" } };
  await sdk.prompts.customText.set("login", "en", texts);
  expect(await sdk.prompts.customText.get("login", "en")).toEqual(texts);
  const partials = { login: { "form-content-start": "<p>" } };
  await sdk.prompts.partials.set("login", partials);
  expect(await sdk.prompts.partials.get("login")).toEqual(partials);
  await sdk.prompts.rendering.bulkUpdate({ configs: [{ prompt: "login", screen: "login", rendering_mode: "advanced" }] });
  await sdk.prompts.rendering.update("login", "login", { use_page_template: true });
  const rendering = { prompt: "login", screen: "login", rendering_mode: "advanced", use_page_template: true };
  expect(await sdk.prompts.rendering.get("login", "login")).toMatchObject(rendering);
  expect((await sdk.prompts.rendering.list()).data).toMatchObject([rendering]);
}
