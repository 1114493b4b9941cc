import { sha256 } from "../../adapters/digest.ts";
import { PosternError } from "../../errors.ts";
import { attemptOf } from "../../identity/providers/attempt.ts";
import { fetchProviderProfile } from "../../identity/providers/provider-requests.ts";
import { UpstreamError } from "../../identity/providers/upstream-error.ts";
import type { UpstreamDetails } from "../../model/connections/upstream-details.ts";
import { previewUpstreamAccount } from "../../identity/users/upstream-account.ts";
import type { ConnectionTestResult } from "../../model/connections/connection-tests.ts";
import { sameJson } from "../../store/same-json.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { checksOfFailure, checksOfSuccess } from "./checks.ts";
import { openResponse, type ConnectionTest } from "./sealed-test.ts";
import { shownClaims } from "./shown-claims.ts";
import { stateOfTest } from "./state.ts";

/**
 * Finishes a test sign-in: redeems the provider's code and reads the profile, as a sign-in does. Stores no account, no
 * session and no token. Each response has one result.
 * @param text the encrypted response that the browser brought to the return URL.
 * @throws {PosternError} `invalid_request` if the response is invalid, has expired or belongs to another connection;
 * `forbidden` if another user or another session started the test; `conflict` if the response was used before.
 */
export async function finishTest(
  tenant: RequestTenant,
  caller: ConnectionTest["caller"],
  connection: Row<"connections">,
  text: string,
): Promise<ConnectionTestResult> {
  const { test, outcome } = await openResponse(tenant, text);
  if (test.connection_id !== connection.id) throw new PosternError("invalid_request", "'response' belongs to another connection");
  if (!sameJson(test.caller, caller)) throw new PosternError("forbidden", "the test was started by another user or in another browser");
  await useTest(tenant, test);
  return "message" in outcome
    ? failureOf(connection, outcome)
    : redeem(tenant, connection, test, { ...outcome, parameters: new URLSearchParams(outcome.parameters) });
}

/** Uses a test. Of parallel calls, only one continues. @throws {PosternError} `conflict` if the test was used before. */
async function useTest({ data }: RequestTenant, { id, expires_at }: ConnectionTest): Promise<void> {
  const used = { jti_hash: await sha256(`connection test ${id}`), expires_at };
  if (!(await data.used_assertions.insert([used])))
    throw new PosternError("conflict", "the result of this test was already requested. Start the test again");
}

async function redeem(
  tenant: RequestTenant,
  connection: Row<"connections">,
  test: ConnectionTest,
  { redirect_uri: redirectUri, parameters }: { readonly redirect_uri: string; readonly parameters: URLSearchParams },
): Promise<ConnectionTestResult> {
  try {
    const attempt = await attemptOf(tenant.secrets.fingerprints, stateOfTest(tenant, test));
    const client = await tenant.upstreamClient(connection);
    const { profile, tokens, claims } = await fetchProviderProfile(client, attempt, parameters, redirectUri, tenant.host.wait);
    return {
      success: true,
      checks: [...checksOfSuccess(connection, profile, claims)],
      profile: await previewUpstreamAccount(connection, profile),
      claims: shownClaims(claims, tokens),
    };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return failureOf(connection, error);
  }
}

function failureOf(
  connection: Row<"connections">,
  { message, details }: { readonly message: string; readonly details?: UpstreamDetails | undefined },
): ConnectionTestResult {
  return { success: false, checks: [...checksOfFailure(connection, { message, details })], error: { message, ...details } };
}
