import { htmlResponse } from "../http/html.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { drawPage } from "./draw.tsx";
import type { Drawing, Drawn } from "./components/drawing.ts";
import { lookOf, type LookOptions } from "./look.ts";
import type { Screen } from "./steps.ts";

/** The pages that are no step and are drawn in a frame. */
export type OtherPage =
  | "answered"
  | "confirm-logout"
  | "error"
  | "confirm-code"
  | "link-password"
  | "link-request"
  | "link-result"
  | "link-verify"
  | "logged-out";

/** What a page needs besides what it shows and its tenant. */
export interface PageContent extends LookOptions {
  /** Names its kind, for the style sheet: a step, or a page that is none. */
  readonly name: Screen["name"] | OtherPage;
  draw(drawing: Drawing): Drawn;
  /** Where its forms go. Left out: it has none. */
  readonly action?: string;
  readonly hidden?: { readonly [name: string]: string };
  readonly cookies?: readonly string[];
  /** A post may lead to the client. */
  readonly leadsAway?: boolean;
  readonly status?: number;
}

/** A page in the person's language and the tenant's colors. */
export async function pageResponse(tenant: Tenant, content: PageContent): Promise<Response> {
  const { name, action = "", hidden = {}, client, cookies = [], leadsAway = false, status = 200 } = content;
  const nonce = tenant.random.token(16);
  const frame = { ...(await lookOf(tenant, content)), action, hidden, nonce, ...(client && { clientName: client.record.name }) };
  const { html, images, fonts, script } = drawPage(frame, name, content.draw);
  return htmlResponse(html, { nonce, status, cookies, leadsAway, images, fonts, script });
}
