import { once } from "node:events";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";

/** Sends a request without changes. `fetch` would set `Sec-Fetch-Mode` itself. */
export async function sendOverHttp(request: Request): Promise<Response> {
  const { url, method } = request;
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  const sent = send(url, { method, headers: Object.fromEntries(request.headers) });
  sent.end(Buffer.from(await request.arrayBuffer()));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) chunks.push(chunk as Uint8Array);
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) for (const value of values ?? []) headers.append(name, value);
  const { statusCode: status = 0 } = response;
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers });
}
