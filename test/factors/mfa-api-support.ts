import { clientSecret, type ApiResponse } from "../support/postern.ts";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { TestAccount, App } from "../support/flow.ts";
import { openFactorService, totpAt, type FactorService } from "./support.ts";

export const otpGrant = "http://auth0.com/oauth/grant-type/mfa-otp";
export const oobGrant = "http://auth0.com/oauth/grant-type/mfa-oob";
export const recoveryGrant = "http://auth0.com/oauth/grant-type/mfa-recovery-code";
export const codeGrantType = "http://auth0.com/oauth/grant-type/passwordless/otp";

export const mfaAppOrigin = "https://app.example.test";

type FormParameters = { readonly [name: string]: string };

/** A service with a client that uses the password grant and the MFA API. */
export interface MfaService extends FactorService {
  readonly app: App;
  /** Requests tokens with a user's password. */
  password(account?: TestAccount, more?: FormParameters): Promise<ApiResponse>;
  /** Signs in with a password, up to the error `mfa_required`. @returns the body of the error. */
  begin(account?: TestAccount, more?: FormParameters): Promise<JsonBody>;
  /** Requests tokens with an MFA grant. */
  grant(type: string, parameters: FormParameters, app?: App): Promise<ApiResponse>;
  associate(mfaToken: string, body: unknown): Promise<ApiResponse>;
  challenge(mfaToken: string, more?: FormParameters, app?: App): Promise<ApiResponse>;
  authenticators(mfaToken: string): Promise<ApiResponse>;
  /** Adds an authenticator app with the MFA API. Advances the clock to the next time step. */
  enrollApp(account?: TestAccount): Promise<{ readonly secret: string; readonly recoveryCode: string }>;
  /** Returns the code of an authenticator app now. @param steps time steps from now. */
  codeNow(secret: string, steps?: number): string;
}

/** Opens an {@link MfaService}. The policy `all-applications` is set. */
export async function openMfaService(...options: Parameters<typeof openFactorService>): Promise<MfaService> {
  const service = await openFactorService(...options);
  const grant_types = ["password", "refresh_token", codeGrantType, otpGrant, oobGrant, recoveryGrant];
  const app = await service.register({ secret: true, grant_types, allowed_origins: [mfaAppOrigin] });
  const credentials = ({ clientId, secret }: App) => ({
    client_id: clientId,
    ...(secret !== undefined && { client_secret: clientSecret }),
  });
  const password: MfaService["password"] = ({ email, password: typed } = service.ada, more = {}) =>
    service.exchange({ grant_type: "password", username: email, password: typed, scope: "openid", ...credentials(app), ...more });
  const begin: MfaService["begin"] = async (account, more) => jsonBody(await password(account, more), 403);
  const grant: MfaService["grant"] = (grant_type, parameters, client = app) =>
    service.exchange({ grant_type, ...credentials(client), ...parameters });
  const associate: MfaService["associate"] = (token, body) => service.call("POST", "/mfa/associate", { token, body });
  const codeNow = (secret: string, steps = 0): string => totpAt(secret, service.clock.now() + steps * 30_000);
  return {
    ...service,
    app,
    password,
    begin,
    grant,
    associate,
    codeNow,
    challenge: (mfa_token, more = {}, client = app) =>
      service.call("POST", "/mfa/challenge", { body: { mfa_token, ...credentials(client), ...more } }),
    authenticators: (token) => service.call("GET", "/mfa/authenticators", { token }),
    enrollApp: async (account) => {
      const mfa_token = stringMember(await begin(account), "mfa_token");
      const added = jsonBody(await associate(mfa_token, { authenticator_types: ["otp"] }));
      const secret = stringMember(added, "secret");
      jsonBody(await grant(otpGrant, { mfa_token, otp: codeNow(secret) }));
      service.clock.advance("31s");
      return { secret, recoveryCode: String(added["recovery_codes"]) };
    },
  };
}
