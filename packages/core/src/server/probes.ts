import { setCookie } from "../http/cookies.ts";
import { withHeaders, type Draft } from "../http/response.ts";
import type { RequestInfo } from "../context.ts";
import type { Urls } from "../http/urls.ts";

/** The header by which the doctor's requests are known, in the process that sent them. Its value is random, so that nobody else's request is answered with more than others are. */
export const probeHeader = "x-postern-probe";

/** The name of the cookie that an answer to a probe sets. */
export const probeCookie = "probe";

/** A request of the doctor's, as it arrived. */
export interface Arrival {
  readonly requestInfo: RequestInfo;
  /** The cookie that its answer set. */
  readonly cookie: string;
  /** Headers of its answer, before anything behind the service changed them. */
  readonly headers: { readonly [name: string]: string };
}

/** The doctor's requests that are under way in this process. */
export interface Probes {
  /** Begins to wait for a request with this token. */
  expect(token: string): void;
  /** What arrived with it; undefined where nothing did. It is forgotten then. */
  arrival(token: string): Arrival | undefined;
  /** Whether a request is one of them. */
  has(request: Request): boolean;
  /** Notes a request that is one of them, and gives its answer a cookie as the service's own are. */
  note(request: Request, requestInfo: RequestInfo, answer: Draft | Response): Draft | Response;
}

/** Makes {@link Probes}. */
export function createProbes(urls: Urls): Probes {
  const awaited = new Map<string, Arrival | undefined>();
  const tokenOf = (request: Request): string | undefined => {
    // Almost always there are none.
    if (awaited.size === 0) return undefined;
    const token = request.headers.get(probeHeader);
    return token !== null && awaited.has(token) ? token : undefined;
  };
  return {
    expect: (token) => void awaited.set(token, undefined),
    arrival(token) {
      const arrival = awaited.get(token);
      awaited.delete(token);
      return arrival;
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
