import type { ServerResponse } from "node:http";
import type { ExpressRequest } from "./express.ts";

/** The headers of a request as the Web's. */
export function headersOf(request: ExpressRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of Array.isArray(value) ? value : value === undefined ? [] : [value]) headers.append(name, each);
  }
  return headers;
}

/** Sends a `Response`, beside what was set on the answer already. */
export async function send(answer: Response, response: ServerResponse): Promise<void> {
  const body = new Uint8Array(await answer.arrayBuffer());
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  for (const line of answer.headers.getSetCookie()) response.appendHeader("set-cookie", line);
  response.end(body);
}
