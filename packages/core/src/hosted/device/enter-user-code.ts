import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import { activationUrl } from "../../authorization/device-codes/activation-url.ts";
import { findPendingCode, requestOf, requireDeviceGrant, type StoredDeviceCode } from "../../authorization/device-codes/device-code.ts";
import { reserveGuess } from "../../authorization/device-codes/guesses.ts";
import { sealUserCode } from "../../authorization/device-codes/sealed-user-code.ts";
import { charactersOfUserCode, formatUserCode } from "../../authorization/device-codes/user-code.ts";
import { noClaims } from "../../authorization/requested-claims.ts";
import { isPosternError } from "../../errors.ts";
import { auditClient } from "../../logs/audit.ts";
import { loginErrorPage } from "../../login/pages/error-page.ts";
import { toLogin } from "../../login/to-login.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { Checked } from "../../oauth/authorize/checks/check.ts";
import { runAuthorizationChecks } from "../../oauth/authorize/checks/table.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { UserCodeProblem } from "./problems.ts";

/**
 * Looks up a user code, and starts the login in which the user confirms the device. Wrong codes are counted before the
 * lookup, see {@link reserveGuess}.
 * @returns the redirect to the login, or the problem with the code.
 */
export async function enterUserCode(
  tenant: RequestTenant,
  httpRequest: Request,
  typed: string,
): Promise<Response | { readonly problem: UserCodeProblem }> {
  if (charactersOfUserCode(typed) === "") return { problem: "missing" };
  const guess = await reserveGuess(tenant);
  if (guess === undefined) {
    await tenant.audit({ type: "fdeac", description: "Too many wrong user codes were entered." });
    return { problem: "too-many" };
  }
  const code = await findPendingCode(tenant, typed);
  const client = code && (await tenant.client(code.client_id));
  if (code === undefined || client === undefined) {
    await guess.fail();
    await tenant.audit({ type: "fdeac", description: "The user code is unknown, used or expired." });
    return { problem: "wrong" };
  }
  await guess.giveBack();
  return startLogin(tenant, httpRequest, { code, client, typed });
}

interface FoundCode {
  readonly code: StoredDeviceCode;
  readonly client: RegisteredClient;
  readonly typed: string;
}

/** Starts the login. The request is checked again, because the client or the API may have changed. */
async function startLogin(tenant: RequestTenant, httpRequest: Request, { code, client, typed }: FoundCode): Promise<Response> {
  const checked: Checked = { tenant, client, sent: requestOf(code), malformed: new Map(), request: {} };
  try {
    requireDeviceGrant(client);
    await runAuthorizationChecks("/oauth/device/code", checked);
  } catch (error) {
    if (!isPosternError(error) || error.status >= 500) throw error;
    await tenant.audit({ type: "fdeac", description: error.message, ...auditClient(client) });
    return loginErrorPage(tenant, error, { client });
  }
  const authorization: AuthorizationRequest = {
    client_id: client.record.client_id,
    ending: "device",
    redirect_uri: activationUrl(tenant),
    redirect_uri_given: false,
    // The client gets a refresh token as with a code, if it requested one.
    response_type: ["code"],
    response_mode: "query",
    scope: [],
    prompt: [],
    claims: noClaims,
    ...checked.request,
    device: await sealUserCode(tenant, code.code_hash, formatUserCode(tenant, typed)),
  };
  return toLogin(tenant, httpRequest, authorization);
}
