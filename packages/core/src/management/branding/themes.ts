import type { JsonObject } from "../../store/value.ts";
import { PosternError } from "../../errors.ts";
import { themeSchema, type Theme, themeOf, writeThemeSchema } from "../../model/tenant/theme.ts";
import { route } from "../../tenants/callers/route-context.ts";

const path = "/api/v2/branding/themes";
const missing = { 404: "theme_not_found" } as const;

/** The routes for the theme, which is the detailed branding of the login pages. A tenant has at most one theme. */
export const themes = [
  route({
    method: "POST",
    path,
    summary: "Create the branding theme",
    description: "A tenant has at most one theme.",
    scopes: ["update:branding"],
    body: writeThemeSchema,
    responses: { 200: themeSchema, 409: { error: "conflict" } },
  })(async ({ body: { displayName = "", ...settings } }, { tenant }) => {
    const theme: Theme = { themeId: tenant.random.alphanumeric(32), displayName, ...settings };
    await tenant.change(({ branding }) => {
      if (themeOf(branding) !== undefined) throw new PosternError("conflict", "the tenant already has a theme");
      return { branding: { ...branding, theme } };
    });
    return theme;
  }),
  route({
    method: "GET",
    path: `${path}/default`,
    operation: "branding.themes.getDefault",
    summary: "Get the branding theme",
    scopes: ["read:branding"],
    responses: { 200: themeSchema, ...missing },
  })(async (_, { tenant }) => present(tenant.record.branding)),
  route({
    method: "GET",
    path: `${path}/:id`,
    summary: "Get the branding theme by its id",
    scopes: ["read:branding"],
    responses: { 200: themeSchema, ...missing },
  })(async ({ params: { id } }, { tenant }) => present(tenant.record.branding, id)),
  route({
    method: "PATCH",
    path: `${path}/:id`,
    summary: "Update the branding theme",
    description: "Replaces the whole theme except its id. An omitted `displayName` stays unchanged.",
    scopes: ["update:branding"],
    body: writeThemeSchema,
    responses: { 200: themeSchema, ...missing, 409: { error: "conflict" } },
  })(async ({ params: { id }, body }, { tenant }) => {
    const { branding } = await tenant.change((record) => {
      const { themeId, displayName } = present(record.branding, id);
      return { branding: { ...record.branding, theme: { displayName, ...body, themeId } } };
    });
    return present(branding, id);
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete the branding theme",
    scopes: ["delete:branding"],
    responses: { 204: null, ...missing, 409: { error: "conflict" } },
  })(async ({ params: { id } }, { tenant }) => {
    await tenant.change((record) => {
      present(record.branding, id);
      const { theme: _, ...branding } = record.branding;
      return { branding };
    });
  }),
];

/**
 * Returns the theme of a tenant.
 * @throws {PosternError} `theme_not_found` if the tenant has no theme, or if its theme has another ID.
 */
function present(branding: JsonObject, id?: string): Theme {
  const theme = themeOf(branding);
  if (theme !== undefined && (id === undefined || id === theme.themeId)) return theme;
  throw new PosternError("not_found", "there is no such theme", { errorCode: "theme_not_found" });
}
