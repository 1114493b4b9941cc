/** The maximum size of a form in bytes. Metadata of a user is far smaller. */
const maximumSize = 1_000_000;

/**
 * Reads a submitted form.
 * @returns undefined if the body has another media type, or is too large.
 */
export async function readForm(request: Request): Promise<URLSearchParams | undefined> {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded" || Number(request.headers.get("content-length") ?? 0) > maximumSize) return undefined;
  const reader = request.body?.getReader();
  if (reader === undefined) return new URLSearchParams();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maximumSize) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return new URLSearchParams(text + decoder.decode());
}
