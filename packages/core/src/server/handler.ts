import { endOfTurn } from "../store/turn.ts";
import type { TrustedProxies } from "../http/client-address.ts";
import { errorResponse, toResponse, toPosternError, withHeaders, type ResponseDraft } from "../http/response.ts";
import { handleRequest, type RequestParts } from "./handle-request.ts";
import { createLastResponses } from "./last-responses.ts";
import { createRequestAuthentication } from "./authenticate.ts";
import type { Probes } from "./probes.ts";
import type { RequestProgress } from "./progress.ts";
import { corsHeadersFor } from "./cors-headers.ts";
import { respondWithError } from "./error-response.ts";
import { methodLabel } from "../telemetry/label-values.ts";
import type { RequestTrace } from "../telemetry/request-trace.ts";
import { authApi } from "./apis.ts";
import type { RequestExtra } from "./request-extra.ts";

/**
 * Handles every request in these steps: base path, route, body, tenant, authentication, validation, the route's
 * handler, response.
 */
interface Handler {
  /**
   * Responds to a request. Never rejects, so that an error in a database, logger or adapter cannot end the process of a
   * host application that does not await the promise.
   * @param ready resolves when the data store has been checked. If it rejects, the response is a 503.
   */
  fetch(request: Request, extra: RequestExtra, ready: () => Promise<void>): Promise<Response>;
}

/** A request, and the host application's information about it. */
interface ReceivedRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly extra: RequestExtra;
  readonly trace?: RequestTrace;
}

/** The parts of a {@link Handler}. */
interface HandlerParts extends Omit<RequestParts, "authentication"> {
  readonly proxies: TrustedProxies;
  readonly probes: Probes;
}

/**
 * The referrer policy is not `no-referrer`, because browsers would then send `Origin: null` with Postern's own forms.
 */
const securityHeaders = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" };

/** Creates the {@link Handler}. */
export function createHandler(handlerParts: HandlerParts): Handler {
  const { installation, proxies, probes } = handlerParts;
  const parts = { ...handlerParts, authentication: createRequestAuthentication(installation) };
  const lastResponses = createLastResponses(installation.host.clock);
  installation.cache.onInvalidate((_, collection) => lastResponses.handleChange(collection));

  /** Handles the request. Falls back to the last response of a public document if the data store is unavailable. */
  const respondOrServeStale = async (progress: RequestProgress, ready: () => Promise<void>): Promise<ResponseDraft | Response> => {
    const { changes } = lastResponses;
    const { request, requestInfo } = progress;
    try {
      const response = await handleRequest(parts, progress, ready);
      const isDocument = progress.route?.definition.isServedStale === true && request.method === "GET";
      if (isDocument && !(response instanceof Response) && response.status === 200) lastResponses.set(request, response, changes);
      return response;
    } catch (thrown) {
      const { code } = toPosternError(thrown);
      progress.errorCode = code;
      const last =
        code === "temporarily_unavailable" && progress.route?.definition.isServedStale === true ? lastResponses.get(request) : undefined;
      if (last === undefined) return respondWithError(parts, progress, thrown);
      installation.host.logger.log({ level: "warn", event: "stale_response", request_id: requestInfo.requestId, error: thrown });
      return { ...last, headers: { ...last.headers } };
    }
  };

  const respond = async ({ request, requestId, extra, trace }: ReceivedRequest, ready: () => Promise<void>): Promise<Response> => {
    const began = installation.now();
    const url = new URL(request.url);
    const later: (() => Promise<void>)[] = [];
    const progress: RequestProgress = {
      request,
      url,
      requestInfo: {
        requestId,
        ip: proxies.clientAddress(extra.clientAddress, request.headers),
        hostname: (proxies.forwardedHost(extra.clientAddress, request.headers) ?? url.host).toLowerCase(),
        sharedIp: proxies.isUndeclaredProxy(extra.clientAddress, request.headers),
        userAgent: request.headers.get("user-agent") ?? "",
        acceptLanguage: request.headers.get("accept-language") ?? "",
        afterResponse: (work) => void later.push(work),
        ...(trace && { trace }),
      },
      api: authApi,
      isPage: false,
    };
    const response = await respondOrServeStale(progress, ready);

    // Exempts the doctor, whose requests contain a forged proxy header to check whether Postern trusts the header.
    if (progress.requestInfo.sharedIp && progress.route !== undefined && !probes.has(request)) parts.setup.reportUnlistedProxy();
    if (proxies.hasUnreadableEntry(extra.clientAddress, request.headers) && !probes.has(request)) parts.setup.reportUnreadableAddress();

    const headers: { [name: string]: string } = { ...securityHeaders, "x-request-id": requestId };
    if (installation.urls.secure) headers["strict-transport-security"] = "max-age=31536000";
    if (progress.dpopNonce !== undefined) headers["dpop-nonce"] = progress.dpopNonce;
    const origin = request.headers.get("origin");
    if (progress.route !== undefined) Object.assign(headers, await corsHeadersFor(progress, origin));
    installation.host.logger.log({
      level: "info",
      event: "request",
      request_id: requestId,
      method: request.method,
      path: url.pathname,
      status: response.status,
      duration_ms: installation.now() - began,
      ...(progress.tenant && { tenant_id: progress.tenant.id }),
      ...trace?.ids,
    });
    trace?.describe({
      status: response.status,
      route: progress.route?.definition.path,
      tenantId: progress.tenant?.id,
      clientId: progress.client?.record.client_id,
      errorCode: progress.errorCode,
    });
    if (later.length > 0) {
      const work = endOfTurn().then(() =>
        runAll(later, (error) => installation.host.logger.log({ level: "error", event: "fault", request_id: requestId, error })),
      );
      extra.waitUntil?.(work);
    }
    return toResponse(probes.note(request, progress.requestInfo, withHeaders(response, headers)), request.method === "HEAD");
  };

  const { telemetry } = installation.host;
  const scheme = installation.urls.secure ? "https" : "http";

  return {
    async fetch(request, extra, ready) {
      const requestId = crypto.randomUUID();
      const received = { request, requestId, extra };
      try {
        if (telemetry === undefined) return await respond(received, ready);
        const facts = { method: methodLabel(request.method), scheme } as const;
        return await telemetry.observeRequest(facts, (trace) => respond({ ...received, trace }, ready));
      } catch (error) {
        // `respondWithError` handles errors from routes. Only an error in the error handling itself is caught here.
        installation.host.logger.log({ level: "error", event: "fault", request_id: requestId, error });
        const response = withHeaders(errorResponse(toPosternError(error), authApi.errorFormat), {
          ...securityHeaders,
          "x-request-id": requestId,
        });
        return toResponse(response, request.method === "HEAD");
      }
    },
  };
}

/**
 * Runs the work that was deferred until after the response, and any work that this work defers in turn. If one piece of
 * work fails, the error is reported and the others still run.
 */
async function runAll(deferred: (() => Promise<void>)[], report: (error: unknown) => void): Promise<void> {
  while (deferred.length > 0) await Promise.all(deferred.splice(0).map((run) => run().catch(report)));
}
