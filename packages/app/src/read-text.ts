/** Reads the body of a request as UTF-8. @returns undefined if it has more than `maximum` bytes. */
export async function readText(request: Request, maximum: number): Promise<string | undefined> {
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  while (reader !== undefined) {
    const { value, done } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maximum) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Returns the members of `RequestInit` for a body that is read only if the request is for a route that reads it. The
 * integration packages use it, because the app's own handlers read the body of every other request.
 * @param read reads the original body.
 */
export function lazyBody(read: () => AsyncIterator<Uint8Array<ArrayBuffer>>): { readonly body: ReadableStream; readonly duplex: "half" } {
  let chunks: AsyncIterator<Uint8Array<ArrayBuffer>> | undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        chunks ??= read();
        const { value, done } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, duplex: "half" };
}
