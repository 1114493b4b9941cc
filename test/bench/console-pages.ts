import { createConsoleLinks } from "../../packages/admin/src/console-links.ts";
import { consoleScopes } from "../../packages/admin/src/console-scopes.ts";
import { renderScreen } from "../../packages/admin/src/render-page.tsx";
import type { ScreenRequest } from "../../packages/admin/src/screen.ts";
import { findScreen } from "../../packages/admin/src/screens.ts";

/** Pages of the admin console about users: a screen with the calls that it sends to the Management API. */

const issuer = "http://127.0.0.1:3000/";
const links = createConsoleLinks("/admin/", undefined);

/** Sends a GET request to the Management API. @param path below `/api/v2/`. */
type GetPath = (path: string) => Promise<unknown>;

/** Returns a function that renders the page at a path of the console. */
function pageAt(get: GetPath, path: string): () => Promise<string> {
  const url = new URL(path, `${issuer}admin/`);
  const found = findScreen(url.pathname.slice("/admin".length), false);
  if (found === undefined) throw new Error(`the console has no screen ${path}`);
  return async () => {
    const request: ScreenRequest = {
      url,
      origin: url.origin,
      params: found.params,
      query: url.searchParams,
      links,
      api: {
        call: (_method, [, , ...segments], { query = {} } = {}) => {
          const sent = new URLSearchParams();
          for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") sent.set(name, value);
          return get(`${segments.map(encodeURIComponent).join("/")}?${sent}`);
        },
      },
      session: {
        user: { sub: "operator" },
        sessionId: "",
        organizationId: undefined,
        authenticatedAt: undefined,
        acr: undefined,
        expiresAt: new Date(),
      },
      tenantId: "main",
      isControlPlane: false,
      scopes: new Set(consoleScopes),
      formToken: "",
      now: Date.now(),
      wantsJson: false,
      issuer,
      findings: async () => undefined,
    };
    const page = await found.screen.show(request);
    if (page instanceof Response) throw new Error(`the console redirects ${path}`);
    return renderScreen(page, request, { style: "style.css", script: "script.js" });
  };
}

/** The measured pages, each with its path. `person777` exists in tenants of any size, and more than a page of names begins with `Person 1`. */
const paths: { readonly [name: string]: string } = {
  "console: list of users": "users",
  "console: list of users, by name": "users?sort=name:asc",
  "console: users by email": "users?q=person777@example.com",
  "console: users by the start of a name": "users?q=Person%201",
  "console: search of all records": "search?q=person777@",
  "console: record of a user": "users/Username-Password-Authentication%7C0000000000",
  "console: events of a user": "users/Username-Password-Authentication%7C0000000000/events",
  "console: sessions of a user": "users/Username-Password-Authentication%7C0000000000/sessions",
};

/** The measurements of `scale.ts` for the console. */
export const consolePages = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [name, async (get: GetPath) => pageAt(get, path)]),
);
