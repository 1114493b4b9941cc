import type { RequestExtra } from "@postern/core";
import { toService } from "@postern/app/service";
import { writeLogEntry } from "@postern/core/glue";
import type { AdminOptions } from "./admin-options.ts";
import { privateHeaders } from "./console-headers.ts";
import { consoleTexts } from "./console-texts.ts";
import { handleConsoleRequest } from "./handle-request.tsx";
import { openConsoleParts, type OpenedConsole } from "./open-console.ts";

/** An admin console. `toExpressHandler`, `toHonoHandler` and `toNextHandlers` mount it as they mount Postern. */
export interface Admin {
  /** The public URL of the console, under the name that the framework packages read. Ends in a slash. */
  readonly issuer: string;
  /** The framework packages also pass requests for the URL without its final slash, which users type. */
  readonly servesPathWithoutSlash: true;
  /**
   * Responds to a request for any page or file of the console, and with 404 to a request outside its URL. The path of
   * the request must be complete: a framework must not remove the path that the console is mounted on. Never rejects: an
   * unexpected error becomes a 500 response, and the log entry `console_failed`.
   */
  fetch(request: Request, extra?: RequestExtra): Promise<Response>;
}

/**
 * Creates an admin console for a tenant, or for a control plane and its tenants. Users of the tenant sign in to it as to
 * every app, and see and change what their roles allow. The console calls the Management API with the access token of
 * the signed-in user, and has no other access to the data.
 * @throws {TypeError} if an option is invalid.
 *
 * @example
 * const admin = createAdmin({ postern, tenantId: "main", clientId: "console", appUrl: "https://example.com/admin/", secret, store: appSessions(data) });
 * app.use(toExpressHandler(admin));
 */
export function createAdmin(options: AdminOptions): Admin {
  const app = readConsoleUrl(options.appUrl);
  const secrets = typeof options.secret === "string" ? [options.secret] : options.secret;
  if (secrets.length === 0 || secrets.some((secret) => secret.length < 32))
    throw new TypeError("createAdmin: 'secret' must have 32 characters or more");
  const service = toService(options.postern);
  let opened: Promise<OpenedConsole> | undefined;
  const open = (): Promise<OpenedConsole> => {
    opened ??= service().then((found) => openConsoleParts(found, app, options));
    opened.catch(() => (opened = undefined));
    return opened;
  };
  return {
    issuer: app.href,
    servesPathWithoutSlash: true,
    async fetch(request, extra) {
      try {
        return await handleConsoleRequest(await open(), app, options, request, extra);
      } catch (error) {
        const { pathname } = new URL(request.url);
        const host = await service().catch(() => ({}));
        writeLogEntry(host, { level: "error", event: "console_failed", method: request.method, path: pathname, error });
        const message = `${consoleTexts.errors.unavailableTitle}. ${consoleTexts.errors.unavailable}`;
        return new Response(message, { status: 500, headers: { ...privateHeaders, "content-type": "text/plain; charset=utf-8" } });
      }
    },
  };
}

/** @throws {TypeError} if the text is not an absolute http or https URL. */
function readConsoleUrl(text: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new TypeError(`createAdmin: 'appUrl' is '${text}': pass the public URL of the console, such as https://example.com/admin/`);
  const url = new URL(text);
  url.search = url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}
