import { htmlResponse } from "../http/html.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { lookOf, type LookOptions } from "./look.ts";
import type { Screen } from "./screen.ts";
import { imageSources, renderPage, scriptOf } from "./draw.tsx";

/** What a page needs besides its screen and its tenant. */
export interface PageContent extends LookOptions {
  readonly action: string;
  readonly hidden: { readonly [name: string]: string };
  readonly clientName?: string;
  readonly cookies?: readonly string[];
  /** A post may lead to the client. */
  readonly leadsAway?: boolean;
  readonly status?: number;
}

/** Draws a screen in the person's language and the tenant's colors. */
export function pageResponse(tenant: Tenant, screen: Screen, content: PageContent): Response {
  const { action, hidden, clientName, cookies = [], leadsAway = false, status = 200 } = content;
  const nonce = tenant.environment.ids.token(16);
  const frame = { ...lookOf(tenant, content), screen, action, hidden, nonce, ...(clientName !== undefined && { clientName }) };
  return htmlResponse(renderPage(frame), {
    nonce,
    status,
    cookies,
    leadsAway,
    images: imageSources(frame),
    script: scriptOf(frame) !== undefined,
  });
}
