import { jsonObject, readResponse, type HttpResponse, type JsonValue } from "./response.ts";

/** The URL, headers and token with which the suite reaches a tenant. */
export interface TenantAccess {
  /** The tenant's id. */
  readonly id: string;
  /**
   * The tenant's base URL, with a trailing slash: the issuer of the service, or the URL of the tenant's subdomain or
   * custom domain.
   */
  readonly issuer: string;
  /** Headers of every request: `{ "tenant-id": "acme" }` if tenants share the issuer. */
  readonly headers?: { readonly [name: string]: string };
  /**
   * Returns a token for this tenant's Management API, with all its scopes. Called again if the service rejects the last
   * token.
   */
  readonly token: () => string | Promise<string>;
}

/** The code and the link in a message that the service sent. */
export interface SentMessage {
  readonly code?: string | undefined;
  readonly link?: string | undefined;
}

/** Sends a request to the service. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** The optional parts of a request. */
export interface RequestContent {
  /** Query, with its question mark. */
  readonly query?: string;
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown;
  readonly form?: { readonly [name: string]: string };
  readonly token?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** Calls a tenant's Management API with the tenant's token. */
interface Manage {
  (method: string, path: string, body?: unknown): Promise<HttpResponse>;
  /** Creates a resource and returns it. */
  create(path: string, body: unknown): Promise<JsonValue>;
}

/** A connected tenant. */
export interface ConnectedTenant {
  readonly id: string;
  readonly issuer: string;
  /** Whether the `tenant-id` header selects the tenant. */
  readonly isSelectedByHeader: boolean;
  /** Text that only resources from this tenant and this run contain. */
  readonly mark: string;
  /** Returns an unused name that contains the mark. */
  newName(): string;
  /**
   * Sends a request with the tenant's headers.
   * @param path relative to the issuer, with a leading slash, or the URL of a link.
   */
  call(method: string, path: string, sent?: RequestContent): Promise<HttpResponse>;
  token(): Promise<string>;
  readonly manage: Manage;
}

/** Connects to a tenant. */
export function connectTenant({ id, issuer, headers: tenantHeaders = {}, token: newToken }: TenantAccess, fetch: Fetch): ConnectedTenant {
  const mark = `only-${crypto.randomUUID().slice(0, 8)}`;
  let [cachedToken, serial]: [string | undefined, number] = [undefined, 0];
  const call: ConnectedTenant["call"] = async (method, path, { query = "", body, form, token, headers } = {}) => {
    const type = form === undefined ? "application/json" : "application/x-www-form-urlencoded";
    const text = form === undefined ? (typeof body === "string" ? body : JSON.stringify(body)) : new URLSearchParams(form).toString();
    const all = {
      ...(text !== undefined && { "content-type": type }),
      ...tenantHeaders,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    };
    const url = new URL(path.replace(/^\//, "") + query, issuer);
    return readResponse(
      await fetch(new Request(url, { method, headers: all, redirect: "manual", ...(text !== undefined && { body: text }) })),
    );
  };
  const token = async (): Promise<string> => (cachedToken ??= await newToken());
  const manage = async (method: string, path: string, body?: unknown): Promise<HttpResponse> => {
    const attempt = async (): Promise<HttpResponse> => call(method, path, { token: await token(), ...(body !== undefined && { body }) });
    const response = await attempt();
    if (response.status !== 401) return response;
    cachedToken = undefined;
    return attempt();
  };
  const create = async (path: string, body: unknown): Promise<JsonValue> => {
    const response = await manage("POST", path, body);
    // Some of Auth0's operations respond with 200 instead of 201.
    return jsonObject(response, response.status === 200 ? 200 : 201, `POST ${path}`);
  };
  const isSelectedByHeader = "tenant-id" in tenantHeaders;
  return {
    id,
    issuer,
    isSelectedByHeader,
    mark,
    newName: () => `${mark}-${++serial}`,
    call,
    token,
    manage: Object.assign(manage, { create }),
  };
}
