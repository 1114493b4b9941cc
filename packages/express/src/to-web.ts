import type { ServerResponse } from "node:http";
import type { ExpressRequest } from "./express.ts";
import { parsedBody } from "./parsed-body.ts";

/** Converts the headers of a request to Web `Headers`. */
export function headersOf(request: ExpressRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, each);
  }
  return headers;
}

/** Reads the body of a request. If a body parser already read it, rebuilds it from the parsed value. */
export async function* bodyOf(request: ExpressRequest): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { body, readableDidRead, headers } = request;
  if (readableDidRead && body !== undefined) {
    const rebuilt = parsedBody(body, headers["content-type"] ?? "");
    yield typeof rebuilt === "string" ? new TextEncoder().encode(rebuilt) : rebuilt;
    return;
  }
  for await (const chunk of request) yield new Uint8Array(chunk);
}

/** Sends a `Response`. Keeps the headers that were already set on the Node response. */
export async function writeResponse(source: Response, response: ServerResponse): Promise<void> {
  const body = new Uint8Array(await source.arrayBuffer());
  response.statusCode = source.status;
  for (const [name, value] of source.headers) if (name !== "set-cookie") response.setHeader(name, value);
  for (const line of source.headers.getSetCookie()) response.appendHeader("set-cookie", line);
  response.end(body);
}
