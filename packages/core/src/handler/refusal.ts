import type { PosternError } from "../errors.ts";
import { findFault } from "../data/json-fault.ts";
import { explainedAt } from "../http/explained.ts";
import { errorResponse, toPosternError, withHeaders, type Draft } from "../http/response.ts";
import type { SetupWarnings } from "../setup-warnings.ts";
import type { Installation } from "../tenancy/installation.ts";
import { urlsOfHost } from "../tenancy/hosts.ts";
import { resolveTenant } from "../tenancy/resolve.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { isObject, writeOf, type Progress } from "./progress.ts";

interface RefusalParts {
  readonly installation: Installation;
  readonly setup: SetupWarnings;
}

/**
 * Answers a request that failed: the caller is told in the route's error format, the operator in full. What goes on record:
 * a change through the Management API always, another request where its route says so.
 */
export async function refuse({ installation, setup }: RefusalParts, progress: Progress, thrown: unknown): Promise<Draft | Response> {
  const { requestInfo, errorFormat, route, body, tenant, client, request } = progress;
  const { logger } = installation.environment;
  const error = toPosternError(thrown);
  const { requestId } = requestInfo;
  if (error.code === "not_found") await setup.nothingFound(request, route !== undefined && tenant === undefined);
  if (error.status >= 500) logger.log({ level: "error", event: "fault", request_id: requestId, error: thrown });
  else if (error.detail !== undefined) logger.log({ level: "warn", event: "refused", request_id: requestId, detail: error.detail });
  const write = writeOf(progress);
  if (write !== undefined && error.status < 500) {
    const { recordRefusal } = await import("../tenancy/management-events.ts");
    await recordRefusal(write, error);
  }
  const type = route?.definition.failureEvent?.(body);
  if (tenant !== undefined && type !== undefined && error.status < 500) {
    await tenant.audit({ type, description: error.message, client: client === undefined ? presentedClient(progress) : named(client) });
  }
  if (errorFormat !== "page") return errorResponse(error, errorFormat, explanation(installation, progress));
  return withHeaders(await errorPage(installation, progress, error), error.headers);
}

function explanation({ environment }: Installation, { request }: Progress): string | undefined {
  return environment.development ? explainedAt(new URL(request.url).pathname) : undefined;
}

/** An error as a person sees it, in the tenant's colors where that is known. */
async function errorPage(installation: Installation, progress: Progress, error: PosternError): Promise<Draft | Response> {
  const { requestInfo, tenant } = progress;
  const ofHost = async (): Promise<Tenant> =>
    resolveTenant(installation, await urlsOfHost(installation, requestInfo.hostname), {}, requestInfo);
  // At a host of nobody there is none, and whose host it is may be what cannot be found out.
  const shown = tenant ?? (await ofHost().catch(() => undefined));
  if (shown === undefined) return errorResponse(error, "oauth", explanation(installation, progress));
  const { errorPage: draw } = await import("../login/pages/error-page.ts");
  return draw(shown, error);
}

/** The client that a refused request names, whoever sent it. */
function presentedClient({ body, request, presentedId }: Progress): { readonly client_id: string; readonly name: string } {
  const id = presentedId ?? (isObject(body) ? body["client_id"] : new URL(request.url).searchParams.get("client_id"));
  return { client_id: typeof id === "string" && findFault(id, 0) === undefined ? id.slice(0, 64).toWellFormed() : "", name: "" };
}

function named({ record }: Client): { readonly client_id: string; readonly name: string } {
  return { client_id: record.client_id, name: record.name };
}
