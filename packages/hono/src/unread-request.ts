import type { Context } from "hono";

/** Returns the original request. If middleware already read the body, rebuilds it from Hono's cached body. */
export async function unreadRequest({ req }: Context): Promise<Request> {
  const { raw, bodyCache } = req;
  if (!raw.bodyUsed) return raw;
  if (Object.keys(bodyCache).length === 0) {
    throw new Error(
      "The request's body was read before Postern saw it: read it through c.req instead of c.req.raw, or mount Postern first",
    );
  }
  const headers = new Headers(raw.headers);
  headers.delete("content-length");
  const body = bodyCache.formData === undefined ? await req.arrayBuffer() : formOf(await req.formData());
  return new Request(raw.url, { method: raw.method, headers, body, signal: raw.signal });
}

/** Returns a form in URL encoding. Files are ignored, because OAuth requests contain none. */
function formOf(data: FormData): string {
  const form = new URLSearchParams();
  for (const [name, value] of data) if (typeof value === "string") form.append(name, value);
  return form.toString();
}
