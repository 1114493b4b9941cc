import type { PosternError } from "../errors.ts";
import { isObject } from "../store/value.ts";
import { findFault } from "../store/json-fault.ts";
import { errorDocumentationUrl } from "../http/error-documentation.ts";
import { errorResponse, toPosternError, withHeaders, type ResponseDraft } from "../http/response.ts";
import type { SetupWarnings } from "./setup-warnings.ts";
import { OverloadError } from "./admission.ts";
import type { Installation } from "../tenants/installation.ts";
import { urlsOfHost } from "../tenants/hosts.ts";
import { resolveTenant } from "../tenants/resolve.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { writeOf, type RequestProgress } from "./progress.ts";
import { recordRefusal } from "../tenants/callers/management-events.ts";
import { loginErrorPage, plainErrorPage } from "../login/pages/error-page.ts";

interface ErrorParts {
  readonly installation: Installation;
  readonly setup: SetupWarnings;
}

/**
 * Responds to a failed request. The response is a page, or has the API's error format; the operator's log contains all
 * details. A rejected write through the Management API is always audited. Other rejected requests are audited if the route
 * declares a `failureEvent`.
 */
export async function respondWithError(
  { installation, setup }: ErrorParts,
  progress: RequestProgress,
  thrown: unknown,
): Promise<ResponseDraft | Response> {
  const { requestInfo, api, route, body, tenant, client, request } = progress;
  const error = toPosternError(thrown);
  const { requestId } = requestInfo;
  const attempt = async (record: () => Promise<void>): Promise<void> => {
    // A failure to audit the rejection must not replace the response.
    await record().catch((cause: unknown) =>
      installation.host.logger.log({ level: "error", event: "fault", request_id: requestId, error: cause }),
    );
  };
  if (error.code === "not_found") await attempt(() => setup.reportNotFound(request, route !== undefined && tenant === undefined));
  if (error.status >= 500 && !(thrown instanceof OverloadError))
    installation.host.logger.log({ level: "error", event: "fault", request_id: requestId, ...requestInfo.trace?.ids, error: thrown });
  else if (error.detail !== undefined || error.hint !== undefined)
    installation.host.logger.log({
      level: "warn",
      event: "refused",
      request_id: requestId,
      ...requestInfo.trace?.ids,
      detail: error.detail ?? error.hint,
    });
  const write = writeOf(progress);
  if (write !== undefined && error.status < 500) {
    await attempt(async () => {
      await recordRefusal(write, error);
    });
  }
  const type = route?.definition.failureEvent?.(body);
  if (tenant !== undefined && type !== undefined && error.status < 500 && !isAwaited(error)) {
    await attempt(() =>
      tenant.audit({ type, description: withHint(error), client: client === undefined ? presentedClient(progress) : named(client) }),
    );
  }
  if (!progress.isPage && !isNavigationToNowhere(progress, error)) {
    return errorResponse(error, api.errorFormat, explanation(installation, progress));
  }
  return withHeaders(await pageOfError(installation, progress, error), error.headers);
}

/**
 * Whether the client must only repeat the request: later, because the user has not decided yet (RFC 8628 section 3.5), or
 * with a nonce (RFC 9449 section 8).
 */
function isAwaited({ code }: PosternError): boolean {
  return code === "authorization_pending" || code === "slow_down" || code === "use_dpop_nonce";
}

/**
 * Whether a browser navigated to a URL that has no route, in an API with pages. Requests from programs do not accept
 * HTML, or also accept JSON.
 */
function isNavigationToNowhere({ api, route, request }: RequestProgress, { code }: PosternError): boolean {
  if (api.pages === undefined || route !== undefined || code !== "not_found" || (request.method !== "GET" && request.method !== "HEAD"))
    return false;
  const accept = (request.headers.get("accept") ?? "").toLowerCase();
  return accept.includes("text/html") && !accept.includes("json");
}

/** Returns the description of an error for the tenant's log, which the tenant's administrators read. */
function withHint({ message, hint }: PosternError): string {
  return hint === undefined ? message : `${message}. ${hint}`;
}

function explanation(installation: Installation, { url }: RequestProgress): string | undefined {
  return installation.config.development ? errorDocumentationUrl(url.pathname) : undefined;
}

/** Returns the error page, with the tenant's branding if the tenant is known and its data can be read. */
async function pageOfError(installation: Installation, progress: RequestProgress, error: PosternError): Promise<Response> {
  const { requestInfo, tenant } = progress;
  const uiLocales = requestedLanguages(progress);
  const ofHost = async (): Promise<RequestTenant> =>
    resolveTenant(installation, await urlsOfHost(installation, requestInfo.hostname), {}, requestInfo);
  // The hostname may belong to no tenant, or the data store may be unavailable.
  const shown = tenant ?? (await ofHost().catch(() => undefined));
  return shown === undefined
    ? plainErrorPage(installation, requestInfo, error, { uiLocales })
    : loginErrorPage(shown, error, { uiLocales });
}

/**
 * Returns `ui_locales` from the query or the form. The value is truncated, because the request may not have been
 * validated.
 */
function requestedLanguages({ url, body }: RequestProgress): string | undefined {
  const sent = url.searchParams.get("ui_locales") ?? (isObject(body) ? body["ui_locales"] : undefined);
  return typeof sent === "string" ? sent.slice(0, 255) : undefined;
}

/** Returns the client that a rejected request names, whose credentials are not verified. */
function presentedClient({ body, url, presentedId }: RequestProgress): { readonly client_id: string; readonly name: string } {
  const id = presentedId ?? (isObject(body) ? body["client_id"] : url.searchParams.get("client_id"));
  return { client_id: typeof id === "string" && findFault(id, 0) === undefined ? id.slice(0, 64).toWellFormed() : "", name: "" };
}

function named({ record }: RegisteredClient): { readonly client_id: string; readonly name: string } {
  return { client_id: record.client_id, name: record.name };
}
