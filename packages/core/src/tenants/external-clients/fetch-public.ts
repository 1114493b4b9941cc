import { withDeadline } from "../../adapters/deadline.ts";
import type { ServiceContext } from "../../context.ts";
import { sendRequest, type RequestPurpose } from "../../telemetry/send-request.ts";

/** How long a server may take to send a document, in milliseconds. */
const timeout = 5000;

/** The server did not send the document. `message` says why, for the operator. */
export class DocumentUnavailableError extends Error {
  override readonly name = "DocumentUnavailableError";
}

/** A JSON document that a server sent. */
export interface PublicDocument {
  readonly text: string;
  /** The `max-age` of the response in milliseconds, if it has one. */
  readonly maxAge: number | undefined;
}

/**
 * Fetches a JSON document that a client or a custom domain publishes. Redirects are not followed: through an open
 * redirect on a host, anyone could publish a document under the name of that host.
 * @param maximumBytes a longer document is refused.
 * @throws {DocumentUnavailableError}
 */
export async function fetchPublicDocument(
  { host }: ServiceContext,
  url: string,
  maximumBytes: number,
  purpose: RequestPurpose = "client_document",
): Promise<PublicDocument> {
  const fail = (reason: string, cause?: unknown) => new DocumentUnavailableError(`'${url}' ${reason}`, { cause });
  const request = async (signal: AbortSignal): Promise<PublicDocument> => {
    const headers = { accept: "application/json", "user-agent": "Postern" };
    const response = await sendRequest(host, purpose, new Request(url, { headers, redirect: "manual", signal }));
    if (response.status !== 200) throw fail(`responded with status ${response.status}`);
    if (!/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(response.headers.get("content-type") ?? "")) throw fail("is not JSON");
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length > maximumBytes) throw fail(`is longer than ${maximumBytes} bytes`);
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), maxAge: maxAgeOf(response.headers.get("cache-control")) };
  };
  try {
    return await withDeadline(request, timeout, `'${url}'`, host.wait);
  } catch (error) {
    throw error instanceof DocumentUnavailableError ? error : fail("could not be read", error);
  }
}

/** Returns the `max-age` of a response (RFC 9111 section 5.2.2.1) in milliseconds. */
function maxAgeOf(cacheControl: string | null): number | undefined {
  const [, seconds] = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
