import { passkeyGrantType } from "../../packages/core/src/model/clients/grant-types.ts";
import {
  createSoftwareAuthenticator,
  type AuthenticatorBehavior,
  type SoftwareAuthenticator,
} from "../../packages/core/test/software-authenticator.ts";
import { passkeyChallengeReplySchema, passkeyRegisterReplySchema } from "../../packages/core/src/oauth/passkey/bodies.ts";
import type { CreationOptions, RequestOptions } from "../../packages/core/src/model/factors/webauthn.ts";
import { jsonBody, list, stringMember, type JsonBody } from "../support/api.ts";
import { openService, type App, type LoginService } from "../support/flow.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import { clientSecret, type ApiResponse, type TestOptions } from "../support/postern.ts";

/** An `auth_session`, and what the authenticator returned for its options. */
export interface PasskeyAnswer {
  readonly auth_session: string;
  readonly authn_response: object;
}

/** Calls of the passkey API, as an app with its own screens sends them. */
export interface PasskeyApi {
  readonly device: SoftwareAuthenticator;
  register(body: object, app?: App): Promise<ApiResponse>;
  challenge(body?: object, app?: App): Promise<ApiResponse>;
  /** Requests options for a new account, and creates a passkey. */
  createPasskey(email: string, behavior?: Partial<AuthenticatorBehavior>, body?: object, app?: App): Promise<PasskeyAnswer>;
  /** Requests options to sign in, and uses the newest passkey. */
  usePasskey(behavior?: Partial<AuthenticatorBehavior>, body?: object, app?: App): Promise<PasskeyAnswer>;
  /** Requests tokens with the grant, with a JSON body. */
  exchange(answer: object, app?: App): Promise<ApiResponse>;
  /** Signs up with a passkey. @returns the token response. */
  signUp(email: string, behavior?: Partial<AuthenticatorBehavior>): Promise<JsonBody>;
}

/** Creates a {@link PasskeyApi}. */
export function passkeyApiOf(
  service: Pick<LoginService, "call">,
  app: App,
  device = createSoftwareAuthenticator({ origin: "https://id.example.test" }),
): PasskeyApi {
  const credentials = ({ clientId, secret }: App) => ({
    client_id: clientId,
    ...(secret !== undefined && { client_secret: clientSecret }),
  });
  const register: PasskeyApi["register"] = (body, client = app) =>
    service.call("POST", "/passkey/register", { body: { ...credentials(client), ...body } });
  const challenge: PasskeyApi["challenge"] = (body = {}, client = app) =>
    service.call("POST", "/passkey/challenge", { body: { ...credentials(client), ...body } });
  const createPasskey: PasskeyApi["createPasskey"] = async (email, behavior, body, client) => {
    const reply = jsonBody(await register({ user_profile: { email }, ...body }, client));
    return { auth_session: stringMember(reply, "auth_session"), authn_response: await device.create(creationOptionsOf(reply), behavior) };
  };
  const usePasskey: PasskeyApi["usePasskey"] = async (behavior, body, client) => {
    const reply = jsonBody(await challenge(body, client));
    return { auth_session: stringMember(reply, "auth_session"), authn_response: await device.get(requestOptionsOf(reply), behavior) };
  };
  const exchange: PasskeyApi["exchange"] = (answer, client = app) =>
    service.call("POST", "/oauth/token", { body: { grant_type: passkeyGrantType, scope: "openid", ...credentials(client), ...answer } });
  return {
    device,
    register,
    challenge,
    createPasskey,
    usePasskey,
    exchange,
    signUp: async (email, behavior) => jsonBody(await exchange(await createPasskey(email, behavior))),
  };
}

/** Returns the options of `/passkey/register`, with the defaults of the members that the API leaves out. */
export function creationOptionsOf(reply: JsonBody): CreationOptions {
  const { authn_params_public_key: options } = passkeyRegisterReplySchema.parse(reply);
  const authenticatorSelection = { requireResidentKey: true, ...options.authenticatorSelection };
  return { ...options, authenticatorSelection, attestation: "none", excludeCredentials: [], extensions: { credProps: true } };
}

/** Returns the options of `/passkey/challenge`. */
export function requestOptionsOf(reply: JsonBody): RequestOptions {
  return passkeyChallengeReplySchema.parse(reply).authn_params_public_key;
}

/** Enables or disables passkeys in the tenant's password database. @returns the id of the connection. */
export async function setPasskeys(service: Pick<LoginService, "manage">, enabled: boolean, options: object = {}): Promise<string> {
  const [connection = {}] = list(await service.manage("GET", "/api/v2/connections?strategy=auth0"));
  const id = stringMember(connection, "id");
  const methods = { password: { enabled: true }, passkey: { enabled } };
  jsonBody(await service.manage("PATCH", `/api/v2/connections/${id}`, { options: { authentication_methods: methods, ...options } }));
  return id;
}

/** A service whose password database has passkeys, with a client that uses the passkey API. */
export interface PasskeyService extends Omit<LoginService, "register" | "exchange">, PasskeyApi {
  readonly app: App;
  readonly outbox: Outbox;
  readonly registerClient: LoginService["register"];
  /** Posts a form to the token endpoint. */
  readonly postForm: LoginService["exchange"];
}

/** Opens a {@link PasskeyService}. */
export async function openPasskeyService(options: TestOptions = {}): Promise<PasskeyService> {
  const outbox = createOutbox();
  const service = await openService({ ...options, messages: { mail: outbox.mail, sms: outbox.sms } });
  await setPasskeys(service, true);
  const app = await service.register({
    secret: true,
    grant_types: [passkeyGrantType, "refresh_token", "http://auth0.com/oauth/grant-type/mfa-otp"],
    allowed_origins: ["https://app.example.test"],
  });
  const { register: registerClient, exchange: postForm } = service;
  return { ...service, ...passkeyApiOf(service, app), app, outbox, registerClient, postForm };
}
