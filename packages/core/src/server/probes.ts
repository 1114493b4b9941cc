import { setCookie } from "../http/cookies.ts";
import { withHeaders, type ResponseDraft } from "../http/response.ts";
import type { RequestInfo } from "../context.ts";
import type { Urls } from "../http/urls.ts";

/**
 * The header that identifies the doctor's requests in the process that sent them. Its value is random, so that no other
 * request receives the probe cookie.
 */
export const probeHeader = "x-postern-probe";

/** The name of the cookie that the response to a probe sets. */
export const probeCookie = "probe";

/** A request from the doctor, as it arrived. */
export interface ReceivedProbe {
  readonly requestInfo: RequestInfo;
  /** The cookie that the response set. */
  readonly cookie: string;
  /** The headers of the response, before a proxy changed them. */
  readonly headers: { readonly [name: string]: string };
}

/** The doctor's requests in progress in this process. */
export interface Probes {
  /** Starts to wait for a request with this token. */
  expect(token: string): void;
  /** Returns the request with this token and stops waiting for it; undefined if none arrived. */
  take(token: string): ReceivedProbe | undefined;
  /** Whether a request is a probe. */
  has(request: Request): boolean;
  /**
   * If the request is a probe, stores it and adds a cookie to the response, with the same attributes as the service's
   * other cookies.
   */
  note(request: Request, requestInfo: RequestInfo, answer: ResponseDraft | Response): ResponseDraft | Response;
}

/** Creates {@link Probes}. */
export function createProbes(urls: Urls): Probes {
  const awaited = new Map<string, ReceivedProbe | undefined>();
  const tokenOf = (request: Request): string | undefined => {
    // The usual case: no probes are in progress.
    if (awaited.size === 0) return undefined;
    const token = request.headers.get(probeHeader);
    return token !== null && awaited.has(token) ? token : undefined;
  };
  return {
    expect: (token) => void awaited.set(token, undefined),
    take(token) {
      const received = awaited.get(token);
      awaited.delete(token);
      return received;
    },
    has: (request) => tokenOf(request) !== undefined,
    note(request, requestInfo, answer) {
      const token = tokenOf(request);
      if (token === undefined) return answer;
      const cookie = setCookie(urls, probeCookie, "1", { maxAge: 60 });
      const noted = withHeaders(answer, { "set-cookie": cookie });
      awaited.set(token, { requestInfo, cookie, headers: Object.fromEntries(new Headers(noted.headers)) });
      return noted;
    },
  };
}
