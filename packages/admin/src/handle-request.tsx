import { AccessTokenError, acrValues, type Exchange, type Session } from "@postern/app";
import { isFromApp, redirectByPage } from "@postern/app/service";
import type { RequestExtra } from "@postern/core";
import type { AdminOptions } from "./admin-options.ts";
import { formTokenField } from "./components/post-form.tsx";
import { previewErrorHeaders, privateHeaders } from "./console-headers.ts";
import { createConsoleLinks } from "./console-links.ts";
import { consoleTexts } from "./console-texts.ts";
import { errorScreen, messagePage, PlainMessage } from "./error-pages.tsx";
import { createManagementClient } from "./management-client.ts";
import { ManagementError } from "./management-error.ts";
import type { OpenedConsole } from "./open-console.ts";
import { readForm } from "./read-form.ts";
import { renderPlainPage, renderScreen } from "./render-page.tsx";
import { ScreenNotFound, type ConsoleScreen, type ScreenPage, type ScreenRequest, type ScreenResult } from "./screen.ts";
import { findScreen } from "./screens.ts";
import { managesTenantsOnly, missingSignIn, scopesOf } from "./tenant-rights.ts";

/** The maximum age of the sign-in for pages that change access, in seconds. */
const recentSignIn = 600;

const texts = consoleTexts.errors;

/** Responds to a request to the console. */
export async function handleConsoleRequest(
  opened: OpenedConsole,
  app: URL,
  options: AdminOptions,
  request: Request,
  extra?: RequestExtra,
): Promise<Response> {
  const url = new URL(request.url);
  const { pathname } = url;
  // Without a redirect between them, because some frameworks redirect to the path without its final slash.
  const isHomeWithoutSlash = `${pathname}/` === app.pathname;
  if (!isHomeWithoutSlash && !pathname.startsWith(app.pathname)) return new Response("not found", { status: 404 });
  const path = isHomeWithoutSlash ? "" : pathname.slice(app.pathname.length);
  if (path.startsWith("assets/")) return opened.assets.respond(path.slice("assets/".length)) ?? new Response("not found", { status: 404 });
  const handled = await opened.sessions.handle(request);
  if (handled !== undefined) return handled;
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead && request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "GET, HEAD, POST" } });

  const place = readPlace(path, options);
  const links = createConsoleLinks(app.pathname, options.isControlPlane === true ? (place.tenant ?? options.tenantId) : undefined);
  if (place.isRoot && isRead) return redirect(links.to([]), []);
  const lines: string[] = [];
  const exchange: Exchange = { url: request.url, headers: request.headers, setCookie: (line) => void lines.push(line) };
  const found = place.path === undefined ? undefined : findScreen(place.path, place.isOutsideTenants);

  const isFramed = found?.screen.isFramed === true;
  const wantsJson = (request.headers.get("accept") ?? "").startsWith("application/json");
  const plain = (title: string, text: string, status: number, href: string, action: string): Response => {
    if (isFramed) {
      const headers = withCookies({ ...previewErrorHeaders, ...privateHeaders }, lines);
      return new Response(request.method === "HEAD" ? null : `${title}. ${text}`, { status, headers });
    }
    return respond(
      renderPlainPage(
        title,
        <PlainMessage text={text} href={href} action={action} />,
        (name) => links.toRoot(`assets/${name}`),
        opened.assets.names,
      ),
      status,
    );
  };
  const respond = (html: string, status: number): Response =>
    new Response(request.method === "HEAD" ? null : html, { status, headers: withCookies(opened.headers, lines) });

  const signIn = links.toRoot("login", {
    returnTo: isRead || found?.screen.needsRecentSignIn === true ? pathname + url.search : links.to([]),
  });
  if ((!isRead || isFramed) && (await opened.sessions.getSession(exchange)) === undefined)
    return plain(texts.expiredTitle, texts.expired, 401, signIn, texts.signIn);
  const required = {
    ...(options.requiresSecondFactor === true && { acr: acrValues.multifactor }),
    ...(found?.screen.needsRecentSignIn === true && { maxAge: recentSignIn }),
  };
  const session = await opened.sessions.requireSession(exchange, required);
  if (session instanceof Response) return session;

  const tenantId = place.tenant ?? options.tenantId;
  let token: string | undefined;
  try {
    token = await opened.sessions.getAccessToken(exchange, tenantId === options.tenantId ? {} : { organization: tenantId });
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    return plain(texts.tenantTitle, texts.tenant, 403, links.toRoot("tenants"), consoleTexts.tenants.title);
  }
  if (token === undefined) return plain(texts.expiredTitle, texts.expired, 401, signIn, texts.signIn);

  const missing = missingSignIn(token, session, options, tenantId);
  if (missing !== undefined && isRead && !isFramed && !wantsJson) {
    const acrs = options.requiresSecondFactor === true ? [acrValues.multifactor] : [];
    const returnTo = pathname + url.search;
    const to = await opened.sessions.signIn(exchange, { returnTo, acrValues: acrs, ...missing });
    return redirectByPage(to, lines);
  }
  const scopes = scopesOf(token);
  const isHomeOfControlPlane = options.isControlPlane === true && place.tenant === options.tenantId && place.path === "/";
  if (isHomeOfControlPlane && scopes.has("read:tenants") && managesTenantsOnly(scopes)) return redirect(links.toRoot("tenants"), lines);

  const send = (sent: Request): Promise<Response> => opened.service.fetch(sent, extra);
  const screenRequest: ScreenRequest = {
    url,
    params: found?.params ?? {},
    query: url.searchParams,
    links,
    api: createManagementClient({ issuer: opened.service.issuer, token, send, headers: request.headers }),
    session,
    tenantId,
    isControlPlane: options.isControlPlane === true,
    scopes,
    formToken: await opened.formTokens.create(session),
    now: (options.now ?? Date.now)(),
    wantsJson,
    origin: app.origin,
    issuer: opened.service.issuer,
    findings: async () => (tenantId === options.tenantId && scopes.has("read:tenant_settings") ? opened.findings() : undefined),
  };
  const result = await runScreen(found?.screen, screenRequest, async (screen) => {
    if (request.method === "HEAD" && screen.showsOnce === true) return new Response(null, { status: 405, headers: { allow: "GET" } });
    if (isRead) return screen.show(screenRequest);
    const form = await readSubmitted(opened, app, request, session);
    if (form === undefined) return messagePage(texts.formTitle, texts.form, 403, links);
    if (screen.submit === undefined) return messagePage(texts.methodTitle, texts.rejected, 405, links);
    return screen.submit(screenRequest, form);
  });
  if (result instanceof Response)
    return new Response(request.method === "HEAD" ? null : result.body, {
      status: result.status,
      headers: withCookies({ ...Object.fromEntries(result.headers), ...privateHeaders }, lines),
    });
  return respond(renderScreen(result, screenRequest, opened.assets.names), result.status ?? 200);
}

/** Runs a screen, and returns the page for its errors. */
async function runScreen(
  screen: ConsoleScreen | undefined,
  request: ScreenRequest,
  run: (screen: ConsoleScreen) => Promise<ScreenResult> | ScreenResult,
): Promise<ScreenResult> {
  try {
    if (screen === undefined) throw new ScreenNotFound();
    return await run(screen);
  } catch (error) {
    const page: ScreenPage | undefined = errorScreen(error, request.links);
    if (page === undefined) throw error;
    if (!request.wantsJson) return page;
    const { status, message } = error instanceof ManagementError ? error : { status: 404, message: texts.notFound };
    return Response.json({ error: message }, { status });
  }
}

/** Returns the form of a request, or undefined if it does not come from a page of this session. */
async function readSubmitted(
  { formTokens }: OpenedConsole,
  app: URL,
  request: Request,
  session: Session,
): Promise<URLSearchParams | undefined> {
  if (!isFromApp(request, app)) return undefined;
  const form = await readForm(request);
  return form !== undefined && (await formTokens.isValid(session, form.get(formTokenField))) ? form : undefined;
}

/** The tenant and the screen that the path of a request names. */
interface Place {
  /** The tenant in the path. */
  readonly tenant: string | undefined;
  /** The path of the screen, with a slash at its start; undefined if no screen has it. */
  readonly path: string | undefined;
  /** Whether the path is that of the console itself, which leads to a tenant. */
  readonly isRoot: boolean;
  /** Whether the screen is not about one tenant. */
  readonly isOutsideTenants: boolean;
}

function readPlace(path: string, { isControlPlane = false }: AdminOptions): Place {
  const inTenant = { isRoot: false, isOutsideTenants: false };
  if (!isControlPlane) return { ...inTenant, tenant: undefined, path: `/${path}` };
  const [, tenant, rest = ""] = /^t\/([a-z0-9][a-z0-9_-]{0,62})(?:\/(.*))?$/.exec(path) ?? [];
  if (tenant !== undefined) return { ...inTenant, tenant, path: `/${rest}` };
  const isKnown = /^tenants(?:\/|$)/.test(path);
  return { tenant: undefined, path: isKnown ? `/${path}` : undefined, isRoot: path === "", isOutsideTenants: true };
}

function redirect(location: string, cookies: readonly string[]): Response {
  return new Response(null, { status: 303, headers: withCookies({ location, "cache-control": "no-store" }, cookies) });
}

function withCookies(headers: { readonly [name: string]: string }, cookies: readonly string[]): Headers {
  const all = new Headers(headers);
  for (const line of cookies) all.append("set-cookie", line);
  return all;
}
