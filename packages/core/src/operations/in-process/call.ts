import { PosternError } from "../../errors.ts";
import { handleRequest, type RequestParts } from "../../server/handle-request.ts";
import type { RequestAuthentication } from "../../server/authenticate.ts";
import { writeOf, type RequestProgress } from "../../server/progress.ts";
import { toPosternError } from "../../http/response.ts";
import { invalidInput } from "../../http/validation.ts";
import type { Caller, AuthenticatedCaller } from "../../tenants/callers/caller.ts";
import { authorizeRoute } from "../../tenants/callers/check-scopes.ts";
import { findTenant, type Installation } from "../../tenants/installation.ts";
import type { TenantHint } from "../../tenants/resolve.ts";
import { RequestTenant } from "../../tenants/tenant.ts";
import { recordRefusal } from "../../tenants/callers/management-events.ts";

/**
 * Runs an operation of the Management API. @param operation its method and path. @param given its path parameters, then
 * its body, then its query.
 */
export type InProcessOperation = (operation: string, given: readonly unknown[]) => Promise<unknown>;

/** The name and the scopes of the calling code, and the tenant that it accesses. */
export interface InProcessCaller {
  readonly tenantId: string;
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
  readonly host: string | undefined;
  readonly prefer: string | undefined;
}

/**
 * Creates the function that runs operations for code of the host application. A call passes the same steps as an HTTP
 * request (validation, scopes, the rules of the route, the audit log), but needs no HTTP and no token.
 */
export function createCall(
  base: Omit<RequestParts, "authentication">,
  ready: () => Promise<void>,
  worker: InProcessCaller,
): InProcessOperation {
  const { installation, routing } = base;
  const parts = { ...base, authentication: authenticateHost(installation, worker) };
  const issuer = new URL(installation.urls.issuer);
  const hostname = (worker.host ?? issuer.host).toLowerCase();

  return async (operation, given) => {
    const [method = "", path = ""] = operation.split(" ");
    const { address, rest } = fillIn(path, given);
    const api = routing.apiOf(path);
    const { definition } = (await routing.routerOf(api)).find(method, path).entry.route;
    const [body, query] = definition.body === undefined ? [undefined, rest[0]] : rest;
    const url = new URL(installation.urls.issuer + address.slice(1) + queryText(query));
    const request = new Request(url, { method, headers: headersOf(worker, body), body: bodyText(body) });
    const later: (() => Promise<void>)[] = [];
    const progress: RequestProgress = {
      request,
      url,
      requestInfo: {
        requestId: crypto.randomUUID(),
        ip: undefined,
        sharedIp: false,
        userAgent: "",
        hostname,
        acceptLanguage: "",
        afterResponse: (work) => void later.push(work),
        ...(installation.host.telemetry && { trace: installation.host.telemetry.traceOfCall() }),
      },
      api,
      isPage: false,
    };
    try {
      const reply = await handleRequest(parts, progress, ready);
      // Returns a copy, as over HTTP, so that changes by the host application do not affect stored data.
      const text = reply instanceof Response ? await reply.text() : reply.body;
      return text === null || text === "" ? undefined : JSON.parse(text);
    } catch (thrown) {
      throw await refused(installation, progress, thrown);
    } finally {
      // Work that an HTTP request does after its response, such as sending mail, is done before the call resolves. Its
      // duration need not be hidden from the host application.
      while (later.length > 0) await Promise.all(later.splice(0).map((begin) => begin()));
    }
  };
}

/**
 * Identifies the host application as the caller. It needs no authentication, because it has access to all data anyway.
 */
function authenticateHost(installation: Installation, { tenantId, name, scopes }: InProcessCaller): RequestAuthentication {
  const recognise = async ({ urls }: TenantHint, progress: RequestProgress): Promise<AuthenticatedCaller> => {
    const entry = await findTenant(installation, tenantId);
    if (entry === undefined) throw new PosternError("not_found", `the tenant '${tenantId}' does not exist`);
    const tenant = new RequestTenant(installation, entry, urls, progress.requestInfo);
    const caller: Caller = {
      subject: name,
      clientId: "",
      clientName: name,
      tenantId,
      ownUserId: undefined,
      organizationId: undefined,
      scopes,
    };
    Object.assign(progress, { tenant, caller });
    return { tenant, caller };
  };
  return {
    contextOf: async (definition, address, progress) => authorizeRoute(await recognise(address, progress), definition),
    authenticateCaller: recognise,
  };
}

/** Inserts parameters into a path. @throws {PosternError} `invalid_request` for a value that a path cannot contain. */
function fillIn(path: string, given: readonly unknown[]): { readonly address: string; readonly rest: readonly unknown[] } {
  const rest = [...given];
  const address = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.shift();
    if (typeof value !== "string" || value === "") throw invalidInput("path", `'${name}' must be non-empty text`);
    // URL parsers remove dot segments, even if the dots are encoded.
    if (value === "." || value === "..") throw invalidInput("path", `'${name}' must not be '${value}'`);
    if (!value.isWellFormed()) throw invalidInput("path", `'${name}': text must be well-formed Unicode`);
    return encodeURIComponent(value);
  });
  return { address, rest };
}

function queryText(query: unknown): string {
  if (query === undefined) return "";
  if (typeof query !== "object" || query === null) throw invalidInput("query", "must be an object");
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const each of values) if (each !== undefined) parameters.append(name, String(each));
  }
  return `?${parameters.toString()}`;
}

function bodyText(body: unknown): string | null {
  if (body === undefined) return null;
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new PosternError("invalid_request", "body: cannot be converted to JSON", { errorCode: "invalid_body", cause });
  }
}

function headersOf({ tenantId, prefer }: InProcessCaller, body: unknown): { readonly [name: string]: string } {
  return {
    "tenant-id": tenantId,
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(prefer !== undefined && { prefer }),
  };
}

/** Returns the error for a failed call. As for HTTP requests, audits a rejected change, and logs an internal error. */
async function refused(installation: Installation, progress: RequestProgress, thrown: unknown): Promise<PosternError> {
  const error = toPosternError(thrown);
  const write = writeOf(progress);
  if (error.status >= 500) {
    installation.host.logger.log({ level: "error", event: "fault", request_id: progress.requestInfo.requestId, error: thrown });
  } else if (write !== undefined) {
    await recordRefusal(write, error);
  }
  return error;
}
