import type * as z from "zod";
import { readBody, withoutEmptyMembers } from "../http/body.ts";
import { checkReply } from "../http/check-reply.ts";
import { completePageOf } from "../http/complete-list.ts";
import { selectReply, responsesWithOptionalFields, type FieldSelection } from "../http/field-selection.ts";
import type { PagingQuery } from "../http/pagination.ts";
import { parsePrefer } from "../http/prefer.ts";
import { readQuery } from "../http/query.ts";
import { successStatus, toResponseDraft, unavailable, withHeaders, type ResponseDraft } from "../http/response.ts";
import type { Route, RouteDefinition } from "../http/route.ts";
import type { Router } from "../http/router.ts";
import { invalidInput, parseInput } from "../http/validation.ts";
import { networkOf } from "../adapters/addresses.ts";
import { PosternError } from "../errors.ts";
import { pathBelowBase } from "./path-below-base.ts";
import type { RoutedEntry, Routing } from "./routing.ts";
import type { Installation } from "../tenants/installation.ts";
import { readAddress } from "../tenants/resolve.ts";
import type { Api } from "./api.ts";
import type { RequestAuthentication } from "./authenticate.ts";
import { writeOf, type RequestProgress } from "./progress.ts";
import { respondToPreflight } from "./cors-headers.ts";
import type { Admission, AdmittedRequest } from "./admission.ts";
import type { SetupWarnings } from "./setup-warnings.ts";
import { recordChange } from "../tenants/callers/management-events.ts";

/** The parts that {@link handleRequest} needs. */
export interface RequestParts {
  readonly installation: Installation;
  readonly authentication: RequestAuthentication;
  readonly routing: Routing;
  readonly setup: SetupWarnings;
  readonly bodyBytes: number;
  readonly checkReplies: boolean;
  /** Limits concurrent requests. Omitted for calls from the host application, which are not limited. */
  readonly admission?: Admission;
}

/**
 * Responds to a request, and stores in `progress` the information that each step obtains about the request.
 * @throws any error that rejects the request.
 */
export async function handleRequest(
  parts: RequestParts,
  progress: RequestProgress,
  ready: () => Promise<void>,
): Promise<ResponseDraft | Response> {
  await ready().catch((cause: unknown) => {
    throw unavailable(cause);
  });
  const { installation, routing } = parts;
  const { request, url } = progress;
  const path = pathBelowBase({ method: request.method, pathname: url.pathname }, installation.urls.basePath);
  const api = routing.apiOf(path);
  progress.api = api;
  progress.isPage = api.pages?.test(path) === true;
  const router = await routing.routerOf(api);

  const preflight = respondToPreflight(router, path, request);
  if (preflight !== undefined) return preflight;

  const { entry, params } = await findRoute(parts, router, path, progress);
  const { route } = entry;
  const { definition } = route;
  progress.route = route;
  if (definition.errorFormat === "page") progress.isPage = true;
  if (definition.requestsPerAddress !== undefined) limitAddress(installation, progress, definition.path, definition.requestsPerAddress);
  if (definition.body !== undefined) {
    const body = await readBody(request, definition.bodyKind ?? "json", parts.bodyBytes);
    const hasEmptyMembers = api.unknownParameters === "rejected" || definition.hasEmptyMembers === true;
    progress.body = hasEmptyMembers ? body : withoutEmptyMembers(body);
  }

  // Public keys and metadata are exempt, because APIs need them to verify tokens.
  const admitted = definition.isServedStale === true ? undefined : await parts.admission?.enter();
  try {
    return await handleRoute(parts, { route, params }, progress, admitted);
  } finally {
    admitted?.leave();
  }
}

/** Counts a request by the address of the client. @throws {PosternError} `TOO_MANY_REQUESTS` */
function limitAddress({ processState }: Installation, { requestInfo }: RequestProgress, path: string, maximum: number): void {
  const { ip, sharedIp } = requestInfo;
  if (ip === undefined || sharedIp) return;
  const wait = processState.requests.take([path, networkOf(ip)], maximum);
  if (wait === 0) return;
  throw new PosternError("TOO_MANY_REQUESTS", "Too many requests came from this IP address. Please try again later.", {
    headers: { "retry-after": String(wait) },
  });
}

/** Authenticates the caller, validates the input and runs the route's handler. */
async function handleRoute(
  parts: RequestParts,
  { route, params: sentParams }: { readonly route: Route; readonly params: { readonly [name: string]: string } },
  progress: RequestProgress,
  admitted: AdmittedRequest | undefined,
): Promise<ResponseDraft | Response> {
  const { installation, setup } = parts;
  const { request, requestInfo, url } = progress;
  const { definition } = route;
  const address = await readAddress(installation, requestInfo, request.headers.get("tenant-id"));
  if (address.urls === installation.urls) setup.reportHost(requestInfo.hostname);
  const context = await parts.authentication.contextOf(definition, address, progress);
  if (progress.tenant !== undefined) await admitted?.assign(progress.tenant.id);
  const params = definition.params === undefined ? sentParams : await parseInput(definition.params, sentParams, "path");
  const query = await parseQuery(definition, url.searchParams, progress.api);
  const prefer = parsePrefer(request.headers.get("prefer"));
  const body =
    definition.body === undefined ? undefined : await parseInput(definition.body, progress.body ?? missingBody(definition.body), "body");
  if (request.method === "HEAD" && definition.hasSideEffects === true)
    return { status: 200, body: null, headers: { "cache-control": "no-store" } };
  const result = await route.handle({ params, query, body, prefer, request }, context);
  const selection: FieldSelection & PagingQuery = query ?? {};
  const page = completePageOf(definition, result, selection, progress.tenant?.config.firstPage ?? 0);
  const reply = selectReply(page, selection, progress.caller && definition.visibleFields?.({ ...progress.caller, params }));

  if (parts.checkReplies) {
    // A handler may return only the selected fields for a large page.
    checkReply(route, selection.fields === undefined ? definition.responses : responsesWithOptionalFields(definition), result);
    checkReply(route, responsesWithOptionalFields(definition), reply);
  }
  const write = writeOf(progress);
  if (write !== undefined) {
    await recordChange(write, definition.summary, successStatus(route));
  }
  const answered = toResponseDraft(route, reply, request);
  if (prefer.applied === undefined) return answered;
  return withHeaders(answered, { "preference-applied": prefer.applied });
}

/**
 * Finds the route of a request. If the API authenticates its callers, only authenticated callers learn which of its
 * routes exist.
 * @throws {PosternError} as {@link Router.find}. In such an API, an error in the token is reported first.
 */
async function findRoute(
  { installation, authentication }: RequestParts,
  router: Router<RoutedEntry>,
  path: string,
  progress: RequestProgress,
): Promise<ReturnType<Router<RoutedEntry>["find"]>> {
  const { request, requestInfo } = progress;
  try {
    return router.find(request.method, path);
  } catch (error) {
    if (progress.api.authenticate !== undefined) {
      await authentication.authenticateCaller(await readAddress(installation, requestInfo, request.headers.get("tenant-id")), progress);
    }
    throw error;
  }
}

/**
 * Parses the query. The API determines whether unknown parameters are rejected or ignored.
 */
async function parseQuery(
  definition: RouteDefinition,
  parameters: URLSearchParams,
  { unknownParameters }: Api,
): Promise<object | undefined> {
  const isStrict = unknownParameters === "rejected";
  if (definition.query === undefined && !isStrict) return undefined;
  const values = readQuery(parameters, isStrict);
  if (definition.query !== undefined) return parseInput(definition.query, values, "query");
  const [unknown] = Object.keys(values);
  if (unknown === undefined) return undefined;
  throw invalidInput("query", `unknown field '${unknown}'`);
}

function missingBody(schema: z.ZodType): undefined {
  if (schema.safeParse(undefined).success) return undefined;
  throw invalidInput("body", "is missing");
}
