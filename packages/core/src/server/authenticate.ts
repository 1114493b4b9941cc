import { authenticateClient, readClientCredentials } from "../oauth/client-authentication.ts";
import { forwardedTenant } from "../tenants/callers/forwarded-for.ts";
import { expiredMfaToken, findMfaToken, isAccessTokenText, openStoredMfaToken, tenantOfMfaToken } from "../identity/factors/mfa-token.ts";
import type { MfaContext } from "../tenants/callers/route-context.ts";
import type { RouteDefinition } from "../http/route.ts";
import { readClientProof } from "../tenants/callers/client-proof.ts";
import { readPresentedToken } from "../tenants/callers/presented-token.ts";
import type { Installation } from "../tenants/installation.ts";
import { sessionTenant } from "./session-tenant.ts";
import { authenticateBearerUser } from "../tenants/callers/bearer-user.ts";
import { authenticateFactorOwner } from "../tenants/callers/factor-owner.ts";
import { resolveTenant, type TenantHint, type Hints } from "../tenants/resolve.ts";
import { presentedAt } from "./presented-at.ts";
import type { RequestProgress } from "./progress.ts";
import { isObject } from "../store/value.ts";

/** Determines the caller and the tenant of a request. */
export interface RequestAuthentication {
  /**
   * Finds the tenant and authenticates the caller, as the route requires.
   * @returns the context for the route's handler.
   */
  contextOf(definition: RouteDefinition, address: TenantHint, progress: RequestProgress): Promise<object>;
  /** Authenticates the caller for a path without a route, in an API that authenticates its callers. */
  authenticateCaller(address: TenantHint, progress: RequestProgress): Promise<object>;
}

/** Creates a {@link RequestAuthentication} that reads tokens, client credentials and parameters from the request. */
export function createRequestAuthentication(installation: Installation): RequestAuthentication {
  return {
    contextOf: (definition, address, progress) => authenticate(installation, definition, address, progress),
    authenticateCaller: (address, progress) => authenticateFor(installation, undefined, address, progress),
  };
}

async function authenticate(
  installation: Installation,
  definition: RouteDefinition,
  address: TenantHint,
  progress: RequestProgress,
): Promise<object> {
  const { requestInfo, request } = progress;
  const { scopes, tenantHints } = definition;
  if (typeof scopes !== "string") return authenticateFor(installation, definition, address, progress);
  if (scopes === "bearer") {
    const token = readPresentedToken(request, { ...presentedAt(installation, progress), form: progress.body });
    const { tenant, bearer } = await authenticateBearerUser(installation, token, address, requestInfo);
    progress.tenant = tenant;
    progress.user = bearer;
    return { tenant, bearer };
  }
  if (scopes === "mfa") return authenticateMfa(installation, address, progress);
  if (scopes !== "client") {
    const named = publicHints(installation, tenantHints, progress);
    const isNamed = address.tenantId !== undefined || Object.values(named).some((hint) => hint !== undefined);
    const hints: Hints =
      definition.findsTenantBySession !== true || isNamed
        ? named
        : { namedTenantId: await sessionTenant(installation, address, request, requestInfo) };
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
  const { path, offerNonce } = presentedAt(installation, progress);
  const provenKey = definition.acceptsProof === true ? await readClientProof(tenant, client, request, path, offerNonce) : undefined;
  return { tenant: progress.tenant, client, request, provenKey };
}

/**
 * Authenticates a request by its `mfa_token`, or by an access token of the MFA API. The tenant and the client are those
 * that the token was issued for.
 */
async function authenticateMfa(installation: Installation, address: TenantHint, progress: RequestProgress): Promise<MfaContext> {
  const { request, requestInfo } = progress;
  const presented = readPresentedToken(request, presentedAt(installation, progress));
  const { text: token } = presented;
  if (isAccessTokenText(token)) {
    const found = await authenticateFactorOwner(installation, presented, address, requestInfo);
    Object.assign(progress, { tenant: found.tenant, client: found.client, presentedId: found.mfaToken.clientId });
    return { ...found, request };
  }
  const tenant = await resolveTenant(installation, address, { tokenTenantId: tenantOfMfaToken(token) }, requestInfo);
  progress.tenant = tenant;
  const stored = await findMfaToken(tenant, token);
  // Scripts of the client must be able to read that the token has expired.
  progress.presentedId = stored.clientId;
  const mfaToken = await openStoredMfaToken(tenant, stored);
  const client = await tenant.client(stored.clientId);
  if (client === undefined) throw expiredMfaToken();
  progress.client = client;
  return { tenant, client, request, mfaToken };
}

/** Authenticates the caller as the API of the request does. */
async function authenticateFor(
  installation: Installation,
  definition: RouteDefinition | undefined,
  address: TenantHint,
  progress: RequestProgress,
): Promise<object> {
  const { authenticate: authenticateCaller } = progress.api;
  if (authenticateCaller === undefined) throw new Error("the API of the path does not authenticate callers by scopes");
  return authenticateCaller(installation, address, progress, definition);
}

/** Returns the hints about the tenant in the parameters that a public route declares as `tenantHints`. */
function publicHints(
  { tokens }: Installation,
  tenantHints: RouteDefinition["tenantHints"],
  { url, body }: Pick<RequestProgress, "url" | "body">,
): Hints {
  if (tenantHints === undefined) return {};
  const sent = (name: string): string | undefined => {
    const value = tenantHints.includes(name) ? (url.searchParams.get(name) ?? (isObject(body) ? body[name] : undefined)) : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const others = new Set(["client_id", "id_token_hint", "tenant"]);
  const prefixed = tenantHints
    .filter((name) => !others.has(name))
    .map(sent)
    .find((value) => value !== undefined);
  const idToken = sent("id_token_hint");
  const { tenant_id: ofToken, aud } = (idToken === undefined ? undefined : tokens.peek(idToken)?.payload) ?? {};
  return {
    // An ID token without the tenant names its client.
    clientId: sent("client_id") ?? (ofToken === undefined && typeof aud === "string" ? aud : undefined),
    namedTenantId: sent("tenant"),
    tokenTenantId: prefixed?.includes(".") === true ? prefixed.split(".", 1)[0] : typeof ofToken === "string" ? ofToken : undefined,
  };
}
