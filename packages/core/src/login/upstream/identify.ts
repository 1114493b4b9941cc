import { attemptOf } from "../../identity/providers/attempt.ts";
import { passedStrategy, readPassedResponse } from "../../identity/providers/passed-strategy.ts";
import { fetchProviderProfile, type ProviderIdentity } from "../../identity/providers/provider-requests.ts";
import { UpstreamError } from "../../identity/providers/upstream-error.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { callbackPath } from "./redirect-to-provider.ts";

/** The response of an identity provider. */
interface ReceivedResponse {
  /** The `state` of the attempt. */
  readonly state: string;
  /** The parameters of the callback. */
  readonly received: URLSearchParams;
  /** Whether the provider posted them as a form. */
  readonly isForm: boolean;
}

/** Verifies the response of a connection's provider, and returns the user that it authenticated. @throws {UpstreamError} */
export async function identify(
  tenant: RequestTenant,
  connection: Row<"connections">,
  { state, received, isForm }: ReceivedResponse,
): Promise<ProviderIdentity> {
  const [client, attempt] = await Promise.all([tenant.upstreamClient(connection), attemptOf(tenant.secrets.fingerprints, state)]);
  const callbackUrl = tenant.urls.urlFor(callbackPath);
  const strategy = passedStrategy(tenant, connection);
  if (strategy === undefined) return fetchProviderProfile(client, attempt, received, callbackUrl, tenant.host.wait);
  if (!isForm) throw new UpstreamError("failed", "the provider did not post its response as a form");
  return readPassedResponse(client, strategy, attempt, { received, callbackUrl });
}
