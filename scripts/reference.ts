import { authRoutes } from "../packages/core/src/oauth/routes.ts";
import type { Api } from "../packages/core/src/http/api.ts";
import { documentRoute } from "../packages/core/src/http/document-route.ts";
import { furtherScopesText, tagOf, templateOf } from "../packages/core/src/http/openapi-operation.ts";
import type { Access, Route } from "../packages/core/src/http/route.ts";
import { createUrls } from "../packages/core/src/http/urls.ts";
import { tenantOperations } from "../packages/core/src/management/tenants/operations.ts";
import { tenants } from "../packages/core/src/management/tenants/tenants.ts";
import { managementRoutes } from "../packages/core/src/management/routes.ts";
import { optionsPage } from "./options-page.ts";
import { settingsPage } from "./settings-page.ts";
import { textsPage } from "./texts-page.ts";
import { vendorPage } from "./vendor-page.ts";

/** A page of the reference. */
export interface Page {
  /** Below `docs/reference/`. */
  readonly file: string;
  readonly text: string;
}

interface Tables {
  readonly api: Api;
  readonly routes: readonly Route[];
  readonly file: string;
  readonly title: string;
  readonly introduction: string;
}

const pages: readonly Tables[] = [
  {
    api: "management",
    routes: [...managementRoutes, ...tenants, ...tenantOperations],
    file: "management-api.md",
    title: "Management API",
    introduction:
      "Every call carries an access token for the audience `<issuer>api/v2/`. Where several scopes are listed, one of them is enough.\n" +
      "Parameters, bodies and replies are in the OpenAPI document that each installation serves at `/api/v2/spec`.",
  },
  {
    api: "auth",
    routes: authRoutes,
    file: "auth-api.md",
    title: "Auth API",
    introduction:
      "Parameters, bodies and replies are in the OpenAPI document that each installation serves at `/.well-known/openapi.json`.",
  },
];

/** The endpoint tables, from the routes that are served, how these compare with the vendor's, and what becomes of settings. */
export function referencePages(): readonly Page[] {
  // No table shows an address, so any issuer will do.
  const urls = createUrls("https://id.example.com/");
  const tables = pages.map(({ api, routes, file, title, introduction }) => ({
    file,
    text: `${[
      "<!-- Made by `npx pnpm@12 reference` from the routes: do not edit. -->",
      `# ${title}`,
      introduction,
      ...[...Map.groupBy([...routes, documentRoute(api, routes, urls)], ({ definition }) => tagOf(definition.path))].map(([tag, group]) =>
        section(tag, group),
      ),
    ].join("\n\n")}\n`,
  }));
  return [
    ...tables,
    { file: "options.md", text: optionsPage() },
    { file: "settings.md", text: settingsPage() },
    { file: "texts.md", text: textsPage() },
    { file: "vendor-endpoints.md", text: vendorPage(managementRoutes) },
  ];
}

function section(tag: string, routes: readonly Route[]): string {
  const rows = routes.map(
    ({ definition: { method, path, scopes, furtherScopes = [], summary } }) =>
      `| ${method} | \`${templateOf(path)}\` | ${[accessText(scopes), ...furtherScopes.map(furtherScopesText)].join(". ")} | ${summary} |`,
  );
  return [`## ${tag}`, "", "| method | path | who may call | summary |", "|---|---|---|---|", ...rows].join("\n");
}

const accessTexts = { public: "anybody", client: "a client", bearer: "a person's access token" } as const;

function accessText(access: Access): string {
  return typeof access === "string" ? accessTexts[access] : access.map((scope) => `\`${scope}\``).join(" or ");
}
