import { isPosternError, PosternError, toErrorDescription } from "../errors.ts";
import { Document } from "./document.ts";
import { Reply, type Route } from "./route.ts";

/** The format of error responses: for SDKs of the Management API, for OAuth clients, or as a page for visitors. */
export type ErrorFormat = "management" | "oauth" | "page";

const json = "application/json; charset=utf-8";

/** The request headers that a cached response depends on, because they may determine the tenant and its host. */
const vary = "Host, X-Forwarded-Host, Tenant-Id";

/**
 * A response that is not sent yet, to which headers can be added. It is plain data that becomes a `Response` once, at
 * the very end, because each intermediate `Headers` object would cost more than serving a cached document.
 */
export interface ResponseDraft {
  readonly status: number;
  readonly body: string | null;
  readonly headers: { [name: string]: string };
}

/** Converts a handler's result to a response. The route's definition determines the status and the headers. */
export function toResponseDraft(route: Route, result: unknown, request: Request): ResponseDraft | Response {
  if (result instanceof Response) return result;
  const { definition } = route;
  if (result instanceof Document) {
    const headers = { "cache-control": definition.cache ?? "no-cache", etag: result.etag, ...(definition.cache !== undefined && { vary }) };
    return result.matchesIfNoneMatch(request.headers.get("if-none-match"))
      ? { status: 304, body: null, headers }
      : { status: 200, body: result.text, headers: { "content-type": json, ...headers } };
  }
  const { body, status, headers: own, cookies } = result instanceof Reply ? result : new Reply(result);
  const declared = status ?? successStatus(route);
  const empty = definition.responses[declared] === null;
  const headers: { [name: string]: string } = {};
  if (!empty) headers["content-type"] = json;
  headers["cache-control"] = definition.cache ?? "no-store";
  if (definition.cache === undefined) headers["pragma"] = "no-cache";
  const draft = { status: declared, body: empty ? null : JSON.stringify(body), headers: Object.assign(headers, own) };
  if (cookies.length === 0) return draft;
  const response = new Response(draft.body, draft);
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/** Adds headers to a response. They replace existing headers with the same names. */
export function withHeaders(answer: ResponseDraft | Response, headers: { readonly [name: string]: string }): ResponseDraft | Response {
  if (answer instanceof Response) for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  else Object.assign(answer.headers, headers);
  return answer;
}

/**
 * Creates the `Response`. @param head whether the request method is HEAD, so that the body is omitted (RFC 9110 section
 * 9.3.2).
 */
export function toResponse(answer: ResponseDraft | Response, head: boolean): Response {
  if (answer instanceof Response) return head ? new Response(null, answer) : answer;
  return new Response(head ? null : answer.body, { status: answer.status, headers: answer.headers });
}

const statuses = new WeakMap<Route, number>();

/** Returns the first success status that a route declares. */
export function successStatus(route: Route): number {
  let status = statuses.get(route);
  if (status === undefined) {
    status =
      Object.keys(route.definition.responses)
        .map(Number)
        .find((candidate) => candidate < 300) ?? 200;
    statuses.set(route, status);
  }
  return status;
}

/** Converts a thrown value to the error that the caller receives. */
export function toPosternError(thrown: unknown): PosternError {
  if (isPosternError(thrown) && thrown.code !== "configuration_error") return thrown;
  if (thrown instanceof Error && thrown.name === "UnavailableError") return unavailable(thrown);
  return new PosternError("server_error", "internal error; the operator can find the cause by the request id", { cause: thrown });
}

/** Creates the error to return while a service that every request needs is unavailable. */
export function unavailable(cause: unknown): PosternError {
  return new PosternError("temporarily_unavailable", "the service is temporarily unavailable; try again", {
    headers: { "retry-after": "1" },
    cause,
  });
}

const reasonPhrases: { readonly [status: number]: string } = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/**
 * Converts an error to flat JSON (spec section 7). The Management API adds members that Auth0's SDKs read.
 * @param explained the URL of a page that explains the error.
 */
export function errorResponse(error: PosternError, format: Exclude<ErrorFormat, "page">, explained?: string): ResponseDraft {
  const { status } = error;
  const body = {
    error: error.code,
    error_description: format === "oauth" ? toErrorDescription(error.message) : error.message,
    ...(format === "oauth" && explained !== undefined && { error_uri: explained }),
    ...(format === "oauth" && error.members),
    ...(format === "management" && {
      statusCode: status,
      message: error.message,
      errorCode: error.errorCode ?? (reasonPhrases[status] ?? "error").toLowerCase().replaceAll(" ", "_"),
    }),
  };
  return {
    status,
    body: JSON.stringify(body),
    headers: { "content-type": json, "cache-control": "no-store", pragma: "no-cache", ...error.headers },
  };
}
