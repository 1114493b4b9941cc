import type { ServiceConfig } from "../../context.ts";
import type { RequestInfo } from "../../context.ts";
import type { PosternError } from "../../errors.ts";
import { errorDocumentationUrl } from "../../http/error-documentation.ts";
import { htmlResponse } from "../../http/html.ts";
import { languages } from "../../locales/languages.ts";
import { chooseLocale } from "../../locales/locale.ts";
import { translator } from "../../locales/translate.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { drawPage } from "../draw.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { pageResponse } from "../page.ts";
import { returnLink, type ReturnLink } from "../return-link.ts";
import { drawError } from "./error.tsx";

/** The parts of the failed request that {@link plainErrorPage} uses. */
interface PlainOrigin {
  /** The client's `ui_locales`. */
  readonly uiLocales?: string | undefined;
  readonly cookies?: readonly string[];
}

/** The parts of the failed request that {@link loginErrorPage} uses. */
interface Origin extends PlainOrigin {
  readonly client?: RegisteredClient | undefined;
}

/**
 * The parts of a tenant, or of the whole service, that {@link plainErrorPage} uses. None of them reads the database.
 */
type PlainPageParts = Pick<RequestTenant, "config" | "random" | "translations" | "urls">;

/**
 * Returns an error page with the tenant's branding and texts. If the tenant's data cannot be read, returns a {@link
 * plainErrorPage}.
 */
export async function loginErrorPage(tenant: RequestTenant, error: PosternError, origin: Origin = {}): Promise<Response> {
  const { requestInfo } = tenant;
  const draw = errorDrawing(tenant.config, requestInfo, error, returnLink(tenant, origin.client));
  try {
    return await pageResponse(tenant, { name: "error", draw, status: error.status, ...origin });
  } catch (cause) {
    tenant.host.logger.log({ level: "error", event: "fault", request_id: requestInfo.requestId, error: cause });
    return plainErrorPage(tenant, requestInfo, error, origin);
  }
}

/**
 * Returns an error page without reading the database. The page has Postern's default texts and colors, in the language
 * that `ui_locales` or the browser requests.
 */
export async function plainErrorPage(
  tenant: PlainPageParts,
  requestInfo: RequestInfo,
  error: PosternError,
  { uiLocales, cookies = [] }: PlainOrigin = {},
): Promise<Response> {
  const { acceptLanguage } = requestInfo;
  const locale = chooseLocale({
    ...(uiLocales !== undefined && { uiLocales }),
    acceptLanguage,
    enabled: [...languages.keys()],
    available: tenant.translations,
  });
  const nonce = tenant.random.token(16);
  const t = await translator(tenant.translations, locale, "formal");
  const frame = { tenantName: tenant.urls.host, branding: {}, t, action: "", hidden: {}, nonce };
  const { html, script } = drawPage(frame, "error", errorDrawing(tenant.config, requestInfo, error));
  return htmlResponse(html, { nonce, status: error.status, script, cookies });
}

function errorDrawing(
  { development }: ServiceConfig,
  { requestId }: RequestInfo,
  { code, reason, message, hint }: PosternError,
  returnLink?: ReturnLink,
): (drawing: Drawing) => PageParts {
  return (drawing) =>
    drawError(drawing, {
      code,
      reason,
      description: development && hint !== undefined ? `${message}. ${hint}` : message,
      ...(development && { explained: errorDocumentationUrl("/authorize") }),
      requestId,
      returnLink,
    });
}
