import { authenticateClient, readClientCredentials } from "../oauth/client-authentication.ts";
import { forwardedTenant } from "../tenants/callers/forwarded-for.ts";
import type { RouteDefinition } from "../http/route.ts";
import { readBearerToken } from "../tenants/callers/access-token.ts";
import { authenticateCaller, type AuthenticatedCaller } from "../tenants/callers/caller.ts";
import { authorizeRoute } from "../tenants/callers/check-scopes.ts";
import type { Installation } from "../tenants/installation.ts";
import { authenticateBearerUser } from "../tenants/callers/bearer-user.ts";
import { resolveTenant, type TenantHint, type Hints } from "../tenants/resolve.ts";
import { isObject, type Progress } from "./progress.ts";

/** How it is found out who calls, and in which tenant they work. */
export interface Authentication {
  /**
   * Finds the tenant and checks who calls, by what the route demands.
   * @returns the context that the route's handler is given.
   */
  contextOf(definition: RouteDefinition, address: TenantHint, progress: Progress): Promise<object>;
  /** Checks who calls the Management API, where no route says what they need. */
  manager(address: TenantHint, progress: Progress): Promise<AuthenticatedCaller>;
}

/** Authentication by what a request carries: tokens, client credentials, parameters. */
export function byRequest(installation: Installation): Authentication {
  return {
    contextOf: (definition, address, progress) => authenticate(installation, definition, address, progress),
    manager: (address, progress) => authenticateManager(installation, address, progress),
  };
}

async function authenticate(
  installation: Installation,
  definition: RouteDefinition,
  address: TenantHint,
  progress: Progress,
): Promise<object> {
  const { requestInfo, request } = progress;
  const { scopes, tenantHints } = definition;
  if (typeof scopes !== "string") {
    return authorizeRoute(await authenticateManager(installation, address, progress), definition);
  }
  if (scopes === "bearer") {
    const { tenant, person } = await authenticateBearerUser(installation, readBearerToken(request, progress.body), address, requestInfo);
    progress.tenant = tenant;
    progress.person = person;
    return { tenant, person };
  }
  if (scopes !== "client") {
    const hints = publicHints(installation, tenantHints, progress);
    if (hints.clientId !== undefined) progress.presentedId = hints.clientId;
    const tenant = await resolveTenant(installation, address, hints, requestInfo);
    progress.tenant = tenant;
    return { tenant };
  }
  const credentials = readClientCredentials(request, isObject(progress.body) ? progress.body : {});
  progress.presentedId = credentials.clientId;
  const tenant = await resolveTenant(installation, address, { clientId: credentials.clientId }, requestInfo);
  progress.tenant = tenant;
  const client = await authenticateClient(tenant, credentials);
  progress.client = client;
  progress.tenant = forwardedTenant(tenant, request, client, credentials);
  return { tenant: progress.tenant, client, request };
}

async function authenticateManager(installation: Installation, address: TenantHint, progress: Progress): Promise<AuthenticatedCaller> {
  const token = readBearerToken(progress.request, undefined);
  return authenticateCaller(installation, token, address, progress.requestInfo, (found) => Object.assign(progress, found));
}

/** What a public request says about its tenant, in the parameters that the route names. */
function publicHints(
  { tokens }: Installation,
  tenantHints: RouteDefinition["tenantHints"] = [],
  { url, body }: Pick<Progress, "url" | "body">,
): Hints {
  const sent = (name: string): string | undefined => {
    const value = tenantHints.includes(name) ? (url.searchParams.get(name) ?? (isObject(body) ? body[name] : undefined)) : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const named = new Set(["client_id", "id_token_hint"]);
  const prefixed = tenantHints
    .filter((name) => !named.has(name))
    .map(sent)
    .find((value) => value !== undefined);
  const ofToken = tokens.peek(sent("id_token_hint") ?? "")?.payload["tenant_id"];
  return {
    clientId: sent("client_id"),
    tokenTenantId: prefixed?.includes(".") === true ? prefixed.split(".", 1)[0] : typeof ofToken === "string" ? ofToken : undefined,
  };
}
