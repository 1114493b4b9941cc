import { isPosternError, PosternError } from "../errors.ts";
import { Document } from "./document.ts";
import type { ErrorFormat } from "./error-body.ts";
import { Reply, type Route } from "./route.ts";

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

/** Converts an error to a JSON response. @param explained the URL of a page that explains the error. */
export function errorResponse(error: PosternError, format: ErrorFormat, explained?: string): ResponseDraft {
  return {
    status: error.status,
    body: JSON.stringify(format(error, explained)),
    headers: { "content-type": json, "cache-control": "no-store", pragma: "no-cache", ...error.headers },
  };
}
