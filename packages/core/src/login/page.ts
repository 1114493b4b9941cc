import { htmlResponse } from "../http/html.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { chooseLocale } from "./locales/locale.ts";
import type { Screen } from "./screen.ts";
import { imageSources, renderPage } from "./screens/page.tsx";

/** What a page needs besides its screen and its tenant. */
export interface PageContent {
  readonly action: string;
  readonly hidden: { readonly [name: string]: string };
  readonly clientName?: string;
  readonly cookies?: readonly string[];
  /** Where a post may lead besides our own origin. */
  readonly formAction?: readonly string[];
  readonly uiLocales?: string;
  readonly status?: number;
}

/** Draws a screen in the person's language and the tenant's colors. */
export function pageResponse(tenant: Tenant, request: Request, screen: Screen, content: PageContent): Response {
  const { action, hidden, clientName, cookies = [], formAction = [], uiLocales, status = 200 } = content;
  const nonce = tenant.environment.ids.token(16);
  const { branding } = tenant.record;
  const colors = branding["colors"];
  const logo = text(branding["logo_url"]);
  const primary = text(memberOf(colors, "primary"));
  const background = text(memberOf(colors, "page_background"));
  const frame = {
    screen,
    action,
    hidden,
    nonce,
    ...(clientName !== undefined && { clientName }),
    tenantName: tenant.record.friendly_name,
    branding: {
      ...(logo !== undefined && { logoUrl: logo }),
      ...(primary !== undefined && { primaryColor: primary }),
      ...(background !== undefined && { pageBackground: background }),
    },
    locale: chooseLocale({
      ...(uiLocales !== undefined && { uiLocales }),
      acceptLanguage: request.headers.get("accept-language") ?? "",
      enabled: tenant.settings.enabled_locales,
    }),
  };
  return htmlResponse(renderPage(frame), { nonce, status, cookies, formAction, images: imageSources(frame) });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
