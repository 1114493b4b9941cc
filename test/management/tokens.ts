import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { TestAccount, LoginService } from "../support/flow.ts";

/** Creates a public client with the password grant and rotating refresh tokens. */
export async function passwordClient(service: LoginService): Promise<string> {
  const settings = {
    name: "Native",
    app_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["password", "refresh_token"],
    refresh_token: { rotation_type: "rotating", expiration_type: "expiring", leeway: 0, recovery_window: 0 },
  };
  return stringMember(await service.manage.create("/api/v2/clients", settings), "client_id");
}

/** Signs a user in with a password, which creates a session. @returns the token response. */
export async function obtainPasswordTokens(service: LoginService, clientId: string, { email, password }: TestAccount): Promise<JsonBody> {
  const body = { grant_type: "password", client_id: clientId, username: email, password, scope: "openid profile offline_access" };
  return jsonBody(await service.exchange(body));
}

/** Exchanges a refresh token. */
export function exchangeRefreshToken(service: LoginService, clientId: string, token: string) {
  return service.exchange({ grant_type: "refresh_token", client_id: clientId, refresh_token: token });
}
