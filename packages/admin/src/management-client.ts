import type { LinkQuery } from "./console-links.ts";
import { toManagementError } from "./management-error.ts";

/** Sends a request to the service. */
export type SendRequest = (request: Request) => Promise<Response>;

/**
 * Calls the Management API with the access token of the signed-in user. The console has no other way to read or change
 * data. Every method rejects with a `ManagementError` if the response is not a success.
 */
export interface ManagementClient {
  /** Returns the parsed body of the response; undefined if it has none. */
  call(method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE", path: readonly string[], options?: ManagementCall): Promise<unknown>;
}

/** The query and the body of a call. */
export interface ManagementCall {
  readonly query?: LinkQuery;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Parameters of {@link createManagementClient}. */
interface ManagementClientParts {
  readonly issuer: string;
  readonly token: string;
  readonly send: SendRequest;
  /** The headers of the browser's request that the service may need, such as the addresses that proxies add. */
  readonly headers: Headers;
}

/** The headers of the browser's request that are passed on. */
const forwardedHeaders = ["user-agent", "x-forwarded-for", "x-request-id"];

/** Creates a {@link ManagementClient}. */
export function createManagementClient({ issuer, token, send, headers: incoming }: ManagementClientParts): ManagementClient {
  return {
    async call(method, path, { query = {}, body } = {}) {
      const url = new URL(path.map(toSegment).join("/"), issuer);
      for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") url.searchParams.set(name, value);
      const headers = new Headers({ authorization: `Bearer ${token}`, accept: "application/json" });
      for (const name of forwardedHeaders) {
        const value = incoming.get(name);
        if (value !== null) headers.set(name, value);
      }
      if (body !== undefined) headers.set("content-type", "application/json");
      const response = await send(new Request(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }));
      const parsed = parseJson(await response.text());
      if (!response.ok) throw toManagementError(response, parsed);
      return parsed;
    },
  };
}

/** Encodes a path segment. A URL parser would remove dot segments, so they are encoded as text that no id equals. */
function toSegment(text: string): string {
  return /^\.{1,2}$/.test(text) ? "%00" : encodeURIComponent(text);
}

function parseJson(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
