import { endOfTurn } from "../store/turn.ts";
import type { TrustedProxies } from "../http/client-address.ts";
import { errorResponse, send, toPosternError, withHeaders, type Draft } from "../http/response.ts";
import { answer, type AnswerParts } from "./answer.ts";
import { createLastResponses } from "./last-responses.ts";
import { byRequest } from "./authenticate.ts";
import type { Probes } from "./probes.ts";
import type { Progress } from "./progress.ts";
import { readers } from "./readers.ts";
import { refuse } from "./refusal.ts";
import type { RequestExtra } from "./request-extra.ts";

/** What every request passes through, in this order: base path, route, body, tenant, authentication, validation, the route's own handler, response. */
export interface Handler {
  /**
   * Never rejects: a host that does not await the promise must not lose its process to a failing database, logger or adapter.
   * @param ready settles when the data store is known to be right; a rejection becomes a 503.
   */
  fetch(request: Request, extra: RequestExtra, ready: () => Promise<void>): Promise<Response>;
}

/** What a {@link Handler} is made of. */
export interface HandlerParts extends Omit<AnswerParts, "authentication"> {
  readonly proxies: TrustedProxies;
  readonly probes: Probes;
}

/** `same-origin` and not `no-referrer`: with that, browsers send `Origin: null` with our own forms. */
const securityHeaders = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" };

/** Makes the {@link Handler}. */
export function createHandler(handlerParts: HandlerParts): Handler {
  const { installation, proxies, probes } = handlerParts;
  const parts = { ...handlerParts, authentication: byRequest(installation) };
  const lastResponses = createLastResponses(installation.host.clock);
  installation.cache.onInvalidate((_, collection) => lastResponses.handleChange(collection));

  /** Answers from the data store, or with the last response of a public document if the data store is unavailable. */
  const answerOrLast = async (progress: Progress, ready: () => Promise<void>): Promise<Draft | Response> => {
    const { changes } = lastResponses;
    const { request, requestInfo } = progress;
    try {
      const answered = await answer(parts, progress, ready);
      const isDocument = progress.route?.definition.isServedStale === true && request.method === "GET";
      if (isDocument && !(answered instanceof Response) && answered.status === 200) lastResponses.set(request, answered, changes);
      return answered;
    } catch (thrown) {
      const isUnavailable = toPosternError(thrown).code === "temporarily_unavailable";
      const last = isUnavailable && progress.route?.definition.isServedStale === true ? lastResponses.get(request) : undefined;
      if (last === undefined) return refuse(parts, progress, thrown);
      installation.host.logger.log({ level: "warn", event: "stale_response", request_id: requestInfo.requestId, error: thrown });
      return { ...last, headers: { ...last.headers } };
    }
  };

  const respond = async (request: Request, requestId: string, extra: RequestExtra, ready: () => Promise<void>): Promise<Response> => {
    const began = installation.now();
    const url = new URL(request.url);
    const later: (() => Promise<void>)[] = [];
    const progress: Progress = {
      request,
      url,
      requestInfo: {
        requestId,
        ip: proxies.clientAddress(extra.clientAddress, request.headers),
        hostname: (proxies.forwardedHost(extra.clientAddress, request.headers) ?? url.host).toLowerCase(),
        sharedIp: proxies.isUnnamedProxy(extra.clientAddress, request.headers),
        userAgent: request.headers.get("user-agent") ?? "",
        acceptLanguage: request.headers.get("accept-language") ?? "",
        afterAnswer: (work) => void later.push(work),
      },
      errorFormat: "oauth",
    };
    const response = await answerOrLast(progress, ready);

    // The doctor makes up the header of a proxy, to see who is believed.
    if (progress.requestInfo.sharedIp && progress.route !== undefined && !probes.has(request)) parts.setup.reportUnlistedProxy();

    const headers: { [name: string]: string } = { ...securityHeaders, "x-request-id": requestId };
    if (installation.urls.secure) headers["strict-transport-security"] = "max-age=31536000";
    const origin = request.headers.get("origin");
    if (progress.route !== undefined) Object.assign(headers, await readers(progress, origin));
    installation.host.logger.log({
      level: "info",
      event: "request",
      request_id: requestId,
      method: request.method,
      path: url.pathname,
      status: response.status,
      duration_ms: installation.now() - began,
      ...(progress.tenant && { tenant_id: progress.tenant.id }),
    });
    if (later.length > 0) {
      const work = endOfTurn().then(() =>
        runAll(later, (error) => installation.host.logger.log({ level: "error", event: "fault", request_id: requestId, error })),
      );
      extra.waitUntil?.(work);
    }
    return send(probes.note(request, progress.requestInfo, withHeaders(response, headers)), request.method === "HEAD");
  };

  return {
    async fetch(request, extra, ready) {
      const requestId = crypto.randomUUID();
      try {
        return await respond(request, requestId, extra, ready);
      } catch (error) {
        // `refuse` handles what a route throws. Only a failure of the error handling itself arrives here.
        installation.host.logger.log({ level: "error", event: "fault", request_id: requestId, error });
        const response = withHeaders(errorResponse(toPosternError(error), "oauth"), { ...securityHeaders, "x-request-id": requestId });
        return send(response, request.method === "HEAD");
      }
    },
  };
}

/** Runs the work that was deferred until after the response, and the work that it defers in turn. A failure is reported and stops nothing else. */
async function runAll(deferred: (() => Promise<void>)[], report: (error: unknown) => void): Promise<void> {
  while (deferred.length > 0) await Promise.all(deferred.splice(0).map((run) => run().catch(report)));
}
