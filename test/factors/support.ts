import { Secret, TOTP } from "otpauth";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import {
  sendAuthorization,
  loginState,
  openService,
  redirectOf,
  submitStep,
  verifier,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";
import type { Browser } from "../support/browser.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";
import type { TestOptions } from "../support/postern.ts";

/** A {@link LoginService} that requires a second factor at each login, with the messages that it sent. */
export interface FactorService extends LoginService {
  readonly outbox: Outbox;
}

/**
 * Opens a service with the factors `otp`, `sms`, `email` and `recovery-code`, and the policy `all-applications`.
 * @param messagesOf returns senders that replace those of the outbox.
 */
export async function openFactorService(
  options: TestOptions = {},
  messagesOf?: (outbox: Outbox) => TestOptions["messages"],
): Promise<FactorService> {
  const outbox = createOutbox();
  const service = await openService({ ...options, messages: { mail: outbox.mail, sms: outbox.sms, ...messagesOf?.(outbox) } });
  for (const name of ["otp", "sms", "email", "recovery-code"]) await put(service, `factors/${name}`, { enabled: true });
  await setPolicies(service, ["all-applications"]);
  return { ...service, outbox };
}

/** Sets the policies of the tenant. An empty list requires no factor. */
export async function setPolicies(service: LoginService, policies: readonly string[]): Promise<void> {
  await put(service, "policies", policies);
}

async function put(service: LoginService, path: string, body: unknown): Promise<void> {
  const { status } = await service.manage("PUT", `/api/v2/guardian/${path}`, body);
  if (status !== 200) throw new Error(`${path}: status ${status}`);
}

/** Signs in with the password, up to the first screen after it. */
export async function signInToFactor(
  service: LoginService,
  browser: Browser,
  parameters: AuthorizationParameters = {},
): Promise<{ readonly state: string; readonly reply: JsonBody }> {
  const state = loginState(await sendAuthorization(browser, service.web, parameters));
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  return { state, reply: await submitStep(browser, state, { action: "sign-in", password: service.ada.password }) };
}

/** Returns the fields of the screen in a reply of the flow API. */
export function screenOf({ screen }: JsonBody): JsonBody {
  if (typeof screen !== "object" || screen === null || Array.isArray(screen)) throw new Error("no screen");
  return { ...screen };
}

/** Returns the code that an authenticator app shows at a time. @param at milliseconds since 1970. */
export function totpAt(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: 30 }).generate({ timestamp: at });
}

/** An enrolled authenticator app. */
export interface EnrolledApp {
  readonly secret: string;
  readonly recoveryCode: string;
}

/** Adds an authenticator app in a login, and completes the login. */
export async function enrollApp(service: FactorService, browser: Browser): Promise<EnrolledApp & { readonly code: string }> {
  const { state } = await signInToFactor(service, browser);
  const chosen = screenOf(await submitStep(browser, state, { action: "choose-new-factor", factor: "totp" }));
  const secret = stringMember(totpOf(chosen), "secret");
  const confirmed = await submitStep(browser, state, { action: "confirm-new-factor", code: totpAt(secret, service.clock.now()) });
  const recoveryCode = stringMember(screenOf(confirmed), "code");
  const done = redirectOf(await submitStep(browser, state, { action: "recovery-code-stored" }));
  if (done.kind !== "response" || done.parameters["code"] === undefined) throw new Error(`no code: ${JSON.stringify(done)}`);
  return { secret, recoveryCode, code: done.parameters["code"] };
}

/** Returns the key of the new authenticator app on a screen. */
export function totpOf({ totp }: JsonBody): JsonBody {
  if (typeof totp !== "object" || totp === null || Array.isArray(totp)) throw new Error("no authenticator app on the screen");
  return { ...totp };
}

/** Exchanges a code of the web client. */
export async function exchangeLoginCode(service: LoginService, code: string): Promise<JsonBody> {
  const { web } = service;
  const reply = await service.exchange({
    grant_type: "authorization_code",
    code,
    redirect_uri: web.redirectUri,
    code_verifier: verifier,
    client_id: web.clientId,
    client_secret: web.secret ?? "",
  });
  return jsonBody(reply, 200);
}
