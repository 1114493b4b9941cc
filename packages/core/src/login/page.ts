import { htmlResponse } from "../http/html.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { clientNameOf } from "../branding/client-name.ts";
import { drawPage } from "./draw.tsx";
import type { Drawing, PageFrame, PageParts } from "./components/drawing.ts";
import { appearanceOf, type AppearanceOptions } from "./appearance.ts";
import type { Screen } from "./steps.ts";

/** The pages that use the page frame but belong to no step. */
export type OtherPage =
  | "account-addresses"
  | "account-apps"
  | "account-closed"
  | "account-deletion"
  | "account-events"
  | "account-export"
  | "account-home"
  | "account-language"
  | "account-linked"
  | "account-organizations"
  | "account-password"
  | "account-profile"
  | "account-recovery"
  | "account-remove"
  | "account-rename"
  | "account-security"
  | "account-sessions"
  | "account-username"
  | "answered"
  | "confirm-logout"
  | "device-code"
  | "device-result"
  | "error"
  | "confirm-code"
  | "link-password"
  | "link-request"
  | "link-result"
  | "link-undo"
  | "link-verify"
  | "logged-out";

/** The content of a page, and the options for its response. */
export interface PageContent extends AppearanceOptions {
  /** The name of the page in the style sheet: the name of a step or of another page. */
  readonly name: Screen["name"] | OtherPage;
  draw(drawing: Drawing): PageParts;
  /** The URL that the page's forms post to. Omitted if the page has no forms. */
  readonly action?: string;
  readonly hidden?: { readonly [name: string]: string };
  readonly cookies?: readonly string[];
  /** The credentials of the signed-in user, which the page reports to the browser. */
  readonly accepted?: PageFrame["accepted"];
  /** The response to a submitted form may redirect to the client. */
  readonly redirectsAfterSubmit?: boolean;
  readonly status?: number;
}

/** Renders a page in the visitor's language and the tenant's branding. */
export async function pageResponse(tenant: RequestTenant, content: PageContent): Promise<Response> {
  const { name, action = "", hidden = {}, client, cookies = [], redirectsAfterSubmit = false, status = 200, accepted } = content;
  const nonce = tenant.random.token(16);
  const clientName = client && clientNameOf(client);
  const frame = {
    ...(await appearanceOf(tenant, content)),
    action,
    hidden,
    nonce,
    ...(accepted && { accepted }),
    ...(clientName !== undefined && { clientName }),
  };
  const { html, images, fonts, script } = drawPage(frame, name, content.draw);
  return htmlResponse(html, { nonce, status, cookies, redirectsAfterSubmit, images, fonts, script });
}
