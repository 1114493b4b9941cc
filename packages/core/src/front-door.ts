import type * as z from "zod";
import { authenticateClient, readClientCredentials } from "./auth/client-authentication.ts";
import type { RequestFacts } from "./domain/audit.ts";
import { isAuditEventType } from "./model/logs/audit-event-types.ts";
import { PosternError } from "./errors.ts";
import { apiOf } from "./http/api.ts";
import { findFault, readBody } from "./http/body.ts";
import type { TrustedProxies } from "./http/client-address.ts";
import { corsHeaders, corsOf, preflight, readableByAny } from "./http/cors.ts";
import { checkReply } from "./http/check-reply.ts";
import { selectReply, shownReplies } from "./http/field-selection.ts";
import { parsePrefer } from "./http/prefer.ts";
import {
  errorResponse,
  send,
  successStatus,
  toAnswer,
  toPosternError,
  unavailable,
  withHeaders,
  type Draft,
  type Surface,
} from "./http/response.ts";
import { readQuery } from "./http/query.ts";
import type { Route, RouteDefinition } from "./http/route.ts";
import type { Router } from "./http/router.ts";
import { invalidInput, parseInput } from "./http/validation.ts";
import type { RequestExtra } from "./options.ts";
import { pageResponse } from "./login/page.ts";
import type { RoutedEntry, Routing } from "./routing.ts";
import type { SetupWarnings } from "./setup-warnings.ts";
import { readBearerToken } from "./tenancy/access-token.ts";
import { authenticateCaller, checkAnyScope, checkScopes, type Caller, type Recognised } from "./tenancy/caller.ts";
import type { Installation } from "./tenancy/installation.ts";
import { recordChange, recordRefusal, type ManagementWrite } from "./tenancy/management-events.ts";
import { authenticatePerson, type Person } from "./tenancy/person.ts";
import { readAddress, resolveTenant, type Addressed, type Hints } from "./tenancy/resolve.ts";
import type { Client, Tenant } from "./tenancy/tenant.ts";

/** What every request passes through, in this order: base path, route, body, tenant, authentication, validation, handler, response. */
export interface FrontDoor {
  /** @param ready settles when the data store is known to be right; a rejection becomes a 503. */
  fetch(request: Request, extra: RequestExtra, ready: () => Promise<void>): Promise<Response>;
}

interface Parts {
  readonly installation: Installation;
  readonly routing: Routing;
  readonly setup: SetupWarnings;
  readonly proxies: TrustedProxies;
  readonly bodyBytes: number;
  readonly checkReplies: boolean;
}

/** What is known of a request so far. Filled on its way, so that a refusal half-way can still be put on record. */
interface Progress {
  readonly facts: RequestFacts;
  readonly request: Request;
  surface: Surface;
  route?: Route;
  body?: unknown;
  tenant?: Tenant;
  caller?: Caller;
  /** The client that the credentials name, before they are checked. */
  presentedId?: string;
  client?: Client;
  person?: Person;
}

/** `same-origin` and not `no-referrer`: with that, browsers send `Origin: null` with our own forms. */
const securityHeaders = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" };

/** Makes the {@link FrontDoor}. */
export function createFrontDoor(parts: Parts): FrontDoor {
  const { installation, proxies, setup } = parts;
  const { clock, logger } = installation.environment;

  return {
    async fetch(request, extra, ready) {
      const began = clock.now();
      const url = new URL(request.url);
      const facts: RequestFacts = {
        requestId: crypto.randomUUID(),
        ip: proxies.clientAddress(extra.clientAddress, request.headers),
        hostname: (proxies.forwardedHost(extra.clientAddress, request.headers) ?? url.host).toLowerCase(),
        sharedIp: proxies.isUnnamedProxy(extra.clientAddress, request.headers),
        userAgent: request.headers.get("user-agent") ?? "",
        acceptLanguage: request.headers.get("accept-language") ?? "",
      };
      const progress: Progress = { facts, request, surface: "oauth" };
      const response = await answer(parts, url, progress, ready).catch((thrown: unknown) => refuse(progress, thrown));

      const headers: { [name: string]: string } = { ...securityHeaders, "x-request-id": facts.requestId };
      if (installation.urls.secure) headers["strict-transport-security"] = "max-age=31536000";
      const origin = request.headers.get("origin");
      if (progress.route !== undefined) Object.assign(headers, await readers(progress, origin));
      logger.log({
        level: "info",
        event: "request",
        request_id: facts.requestId,
        method: request.method,
        path: url.pathname,
        status: response.status,
        duration_ms: clock.now() - began,
        ...(progress.tenant && { tenant_id: progress.tenant.id }),
      });
      return send(withHeaders(response, headers), request.method === "HEAD");
    },
  };

  /** A refusal, told to the caller in the manner of the surface, to the operator in full, and put on record: a change through the Management API always, another request where its route says so. */
  async function refuse(progress: Progress, thrown: unknown): Promise<Draft | Response> {
    const { facts, surface, route, body, tenant, client, request } = progress;
    const error = toPosternError(thrown);
    if (error.code === "not_found") await setup.nothingFound(request, route !== undefined && tenant === undefined);
    if (error.status >= 500) logger.log({ level: "error", event: "fault", request_id: facts.requestId, error: thrown });
    else if (error.detail !== undefined) logger.log({ level: "warn", event: "refused", request_id: facts.requestId, detail: error.detail });
    const write = writeOf(progress);
    if (write !== undefined && error.status < 500) await recordRefusal(write, error);
    const type = route?.definition.failureEvent?.(body);
    if (tenant !== undefined && type !== undefined && isAuditEventType(type) && error.status < 500) {
      await tenant.audit({ type, description: error.message, client: client === undefined ? presentedClient(progress) : named(client) });
    }
    if (surface !== "page") return errorResponse(error, surface);
    return withHeaders(await errorPage(installation, progress, error), error.headers);
  }
}

/** An error as a person sees it, in the tenant's colors where that is known. */
async function errorPage(installation: Installation, { facts, tenant }: Progress, error: PosternError): Promise<Draft | Response> {
  const screen = { name: "error", code: error.code, description: error.message, requestId: facts.requestId } as const;
  const shown =
    tenant ?? (await resolveTenant(installation, { urls: installation.urls, tenantId: undefined }, {}, facts).catch(() => undefined));
  if (shown === undefined) return errorResponse(error, "oauth");
  return pageResponse(shown, screen, { action: "", hidden: {}, status: error.status });
}

async function answer(parts: Parts, url: URL, progress: Progress, ready: () => Promise<void>): Promise<Draft | Response> {
  await ready().catch((cause: unknown) => {
    throw unavailable(cause);
  });
  const { installation, routing, setup } = parts;
  const { request, facts } = progress;
  const path = belowBasePath(url.pathname, installation.urls.basePath);
  if (apiOf(path) === "management") progress.surface = "management";
  const router = await routing(path);

  if (request.method === "OPTIONS") {
    const origin = request.headers.get("origin");
    const asked = request.headers.get("access-control-request-method");
    if (origin !== null && asked !== null && corsOf(router.find(asked, path).entry.route.definition) !== "none") {
      return preflight(origin, [asked]);
    }
  }

  const { entry, params } = await findRoute(parts, router, path, progress);
  const { route } = entry;
  const { definition } = route;
  progress.route = route;
  if (definition.surface !== undefined) progress.surface = definition.surface;
  if (definition.body !== undefined) progress.body = await readBody(request, definition.bodyKind ?? "json", parts.bodyBytes);

  const address = await readAddress(installation, facts, request.headers.get("tenant-id"));
  if (address.urls === installation.urls) setup.hostSeen(facts.hostname);
  if (facts.sharedIp) setup.proxySeen();
  const context = await authenticate(installation, definition, address, progress);
  const query = parseQuery(definition, url.searchParams, progress.surface);
  const prefer = parsePrefer(request.headers.get("prefer"));
  const body =
    definition.body === undefined ? undefined : parseInput(definition.body, progress.body ?? missingBody(definition.body), "body");
  if (request.method === "HEAD" && definition.acts === true) return { status: 200, body: null, headers: { "cache-control": "no-store" } };
  const result = await route.handle({ params, query, body, prefer, request }, context);
  const reply = selectReply(result, query ?? {}, progress.caller && definition.shows?.({ ...progress.caller, params }));

  if (parts.checkReplies) {
    checkReply(route, definition.responses, result);
    checkReply(route, shownReplies(definition), reply);
  }
  const write = writeOf(progress);
  if (write !== undefined) await recordChange(write, definition.summary, successStatus(route));
  const answered = toAnswer(route, reply, request);
  if (prefer.applied === undefined) return answered;
  return withHeaders(answered, { "preference-applied": prefer.applied });
}

/**
 * Finds the route of a request. What the Management API serves, and what it does not, is told to those alone who may use it.
 * @throws {PosternError} as {@link Router.find}; before that, below the Management API, what is wrong with the token.
 */
async function findRoute(
  { installation }: Parts,
  router: Router<RoutedEntry>,
  path: string,
  progress: Progress,
): Promise<ReturnType<Router<RoutedEntry>["find"]>> {
  const { request, facts } = progress;
  try {
    return router.find(request.method, path);
  } catch (error) {
    if (progress.surface === "management") {
      const address = await readAddress(installation, facts, request.headers.get("tenant-id"));
      checkAnyScope((await authenticateManager(installation, address, progress)).caller);
    }
    throw error;
  }
}

/** Finds the tenant and checks who calls, as the route demands. */
async function authenticate(
  installation: Installation,
  definition: RouteDefinition,
  address: Addressed,
  progress: Progress,
): Promise<object> {
  const { facts, request } = progress;
  const { scopes } = definition;
  if (typeof scopes !== "string") {
    const { tenant, caller } = await authenticateManager(installation, address, progress);
    checkScopes(caller, scopes);
    return { tenant, caller };
  }
  if (scopes === "bearer") {
    const { tenant, person } = await authenticatePerson(installation, readBearerToken(request, progress.body), address, facts);
    progress.tenant = tenant;
    progress.person = person;
    return { tenant, person };
  }
  if (scopes !== "client") {
    const tenant = await resolveTenant(installation, address, publicHints(installation, definition, progress), facts);
    progress.tenant = tenant;
    return { tenant };
  }
  const credentials = readClientCredentials(request, isObject(progress.body) ? progress.body : {});
  progress.presentedId = credentials.clientId;
  const tenant = await resolveTenant(installation, address, { clientId: credentials.clientId }, facts);
  progress.tenant = tenant;
  const client = await authenticateClient(tenant, credentials);
  progress.client = client;
  return { tenant, client };
}

/** Checks the token of a request to the Management API. */
async function authenticateManager(installation: Installation, address: Addressed, progress: Progress): Promise<Recognised> {
  const { facts, request } = progress;
  return authenticateCaller(installation, readBearerToken(request, undefined), address, facts, (found) => Object.assign(progress, found));
}

/** What a public request says about its tenant, in the parameters that the route names. */
function publicHints({ tokens }: Installation, { tenantHints = [] }: RouteDefinition, { request, body }: Progress): Hints {
  const parameters = new URL(request.url).searchParams;
  const sent = (name: string): string | undefined => {
    const value = tenantHints.some((hint) => hint === name)
      ? (parameters.get(name) ?? (isObject(body) ? body[name] : undefined))
      : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const state = sent("state");
  const ofToken = tokens.peek(sent("id_token_hint") ?? "")?.payload["tenant_id"];
  return {
    clientId: sent("client_id"),
    tokenTenantId: state?.includes(".") === true ? state.split(".", 1)[0] : typeof ofToken === "string" ? ofToken : undefined,
  };
}

/** The Management API refuses parameters that it does not know; OAuth ignores them (RFC 6749 section 3.1). */
function parseQuery(definition: RouteDefinition, parameters: URLSearchParams, surface: Surface): object | undefined {
  if (definition.query === undefined && surface !== "management") return undefined;
  const values = readQuery(parameters);
  if (definition.query !== undefined) return parseInput(definition.query, values, "query");
  const [unknown] = Object.keys(values);
  if (unknown === undefined) return undefined;
  throw invalidInput("query", `unknown field '${unknown}'`);
}

function missingBody(schema: z.ZodType): undefined {
  if (schema.safeParse(undefined).success) return undefined;
  throw invalidInput("body", "is missing");
}

/** The write through the Management API that a request is, once it is known who makes it. */
function writeOf({ tenant, caller, request, body }: Progress): ManagementWrite | undefined {
  const isWrite = !["GET", "HEAD", "OPTIONS"].includes(request.method);
  return isWrite && tenant !== undefined && caller !== undefined ? { tenant, caller, request, body } : undefined;
}

/** The headers that say which scripts may read an answer. What any may read says so to whoever asks: a shared cache hands it to browsers. */
async function readers(progress: Progress, origin: string | null): Promise<{ readonly [name: string]: string }> {
  const kind = progress.route === undefined ? "none" : corsOf(progress.route.definition);
  if (kind === "any") return readableByAny;
  // Whose script it is, is asked only where one asks.
  return origin === null ? {} : corsHeaders(origin, kind === "none" ? [] : await originsOf(progress));
}

/** The origins of the client that authenticated, or that the token was issued to. */
async function originsOf({ tenant, client, caller, person }: Progress): Promise<readonly string[]> {
  const tokenOf = caller ?? person;
  const found = client ?? (tokenOf === undefined ? undefined : await tenant?.client(tokenOf.clientId));
  if (found === undefined) return [];
  const { web_origins, allowed_origins, callbacks } = found.record;
  return [...web_origins, ...allowed_origins, ...callbacks.map(originOf)];
}

/** Empty for what has none, such as a scheme of an app's own: `null` is what every sandboxed page calls itself. */
function originOf(url: string): string {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? "" : origin;
}

function belowBasePath(pathname: string, basePath: string): string {
  if (basePath === "/") return pathname;
  if (pathname.startsWith(basePath)) return pathname.slice(basePath.length - 1);
  throw new PosternError("not_found", "there is nothing at this address");
}

/** The client that a refused request names, whoever sent it. */
function presentedClient({ body, request, presentedId }: Progress): { readonly client_id: string; readonly name: string } {
  const id = presentedId ?? (isObject(body) ? body["client_id"] : new URL(request.url).searchParams.get("client_id"));
  return { client_id: typeof id === "string" && findFault(id, 0) === undefined ? id.slice(0, 64).toWellFormed() : "", name: "" };
}

function named({ record }: Client): { readonly client_id: string; readonly name: string } {
  return { client_id: record.client_id, name: record.name };
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
