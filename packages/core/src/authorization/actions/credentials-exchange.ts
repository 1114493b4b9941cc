import { auditOrganization } from "../../logs/audit.ts";
import type { CredentialsExchangeApi } from "../../adapters/actions.ts";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { actionClient, actionRequest } from "../../identity/actions/action-user.ts";
import { actionsWith, callAction } from "../../identity/actions/call-action.ts";
import { PosternError } from "../../errors.ts";
import { publicIdentifier } from "../../tenants/audience.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { CachedApi } from "../../tenants/settings-cache.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { checkClaimsSize, customClaim } from "./custom-claims.ts";

/** A client credentials grant, before its token is issued. */
interface CredentialsExchange {
  readonly client: RegisteredClient;
  readonly api: CachedApi;
  readonly organization: Row<"organizations"> | undefined;
  readonly scopes: readonly string[];
}

/**
 * Runs the host's `onExecuteCredentialsExchange` actions, in their order.
 * @throws {PosternError} the error of an action that denies the token; `temporarily_unavailable` if an action failed.
 */
export async function runCredentialsExchange(
  tenant: RequestTenant,
  { client, api, organization, scopes }: CredentialsExchange,
): Promise<{ readonly scopes: readonly string[]; readonly customClaims?: JsonObject }> {
  const trigger = "onExecuteCredentialsExchange";
  const listed = actionsWith(tenant, trigger);
  if (listed.length === 0) return { scopes };
  const claims = new Map<string, Json>();
  const withheld = new Set<string>();
  let denied: PosternError | undefined;
  const exchangeApi: CredentialsExchangeApi = {
    access: { deny: (code, reason) => void (denied = new PosternError(code, String(reason))) },
    accessToken: {
      setCustomClaim: (name, value) => void claims.set(...customClaim(name, value)),
      removeScope: (scope) => void withheld.add(scope),
    },
  };
  const left = (): readonly string[] => scopes.filter((scope) => !withheld.has(scope));
  for (const one of listed) {
    const event = {
      secrets: one.action.secrets ?? {},
      tenant: { id: tenant.id },
      request: actionRequest(tenant.requestInfo),
      client: actionClient(client.record),
      accessToken: { scope: left(), customClaims: Object.fromEntries(claims) },
      resource_server: { identifier: publicIdentifier(api.record.identifier, tenant.urls.issuer) },
      ...auditOrganization(organization),
      transaction: { requested_scopes: scopes },
    };
    await callAction(tenant, trigger, one, async () => {
      await one.action[trigger]?.(event, exchangeApi);
      checkClaimsSize(Object.fromEntries(claims));
    });
    if (denied !== undefined) throw denied;
  }
  return { scopes: left(), customClaims: Object.fromEntries(claims) };
}
