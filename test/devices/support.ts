import { deviceCodeGrantType } from "../../packages/core/src/model/clients/grant-types.ts";
import { jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { formFields, type Browser } from "../support/browser.ts";
import {
  getFlow,
  loginState,
  readResult,
  sendTokenRequest,
  submitStep,
  type App,
  type LoginService,
  type TestAccount,
} from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";

/** Registers a client that runs on a device. */
export function registerDevice(service: LoginService): Promise<App> {
  return service.register({ app_type: "native", callbacks: [], grant_types: [deviceCodeGrantType, "refresh_token"] });
}

/** The parameters of a request for a device code; undefined removes a default. */
export type DeviceParameters = { readonly [name: string]: string };

/** Sends a request for a device code. */
export function requestDevice(service: LoginService, app: App, parameters: DeviceParameters = {}): Promise<ApiResponse> {
  const body = { client_id: app.clientId, scope: "openid profile offline_access", ...secretOf(app), ...parameters };
  return service.call("POST", "/oauth/device/code", { body });
}

function secretOf({ secret }: App): { readonly client_secret?: string } {
  return secret === undefined ? {} : { client_secret: secret };
}

/** The codes of a device. */
export interface DeviceCodes {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** Returns the codes of a new request. */
export async function startDevice(service: LoginService, app: App, parameters?: DeviceParameters): Promise<DeviceCodes> {
  const body = jsonBody(await requestDevice(service, app, parameters), 200);
  return { deviceCode: stringMember(body, "device_code"), userCode: stringMember(body, "user_code") };
}

/** Polls with a device code. */
export function poll(service: Pick<LoginService, "call">, app: App, deviceCode: string): Promise<ApiResponse> {
  return sendTokenRequest(service, { grant_type: deviceCodeGrantType, client_id: app.clientId, device_code: deviceCode, ...secretOf(app) });
}

/** Enters a user code on the page. @returns the redirect. */
export async function typeUserCode(browser: Browser, userCode: string): Promise<string> {
  const page = await browser.get("/activate");
  const response = await browser.post("/activate", { form: { ...formFields(await page.text()), user_code: userCode } });
  return response.headers.get("location") ?? `status ${response.status}`;
}

/** Enters a user code that leads to the login. @returns the `state` of the login. */
export async function openDeviceLogin(browser: Browser, userCode: string): Promise<string> {
  const page = await browser.get("/activate");
  return loginState(await readResult(await browser.post("/activate", { form: { ...formFields(await page.text()), user_code: userCode } })));
}

/** Enters a user code and signs in with a password. @returns the `state` of the login, which shows the device. */
export async function signInForDevice(browser: Browser, userCode: string, { email, password }: TestAccount): Promise<string> {
  const state = await openDeviceLogin(browser, userCode);
  await submitStep(browser, state, { action: "continue", identifier: email });
  await submitStep(browser, state, { action: "sign-in", password });
  return state;
}

/** Returns the screen on which the user confirms the device. */
export async function deviceScreen(browser: Browser, state: string): Promise<JsonBody> {
  const { screen } = await getFlow(browser, state);
  return screen as JsonBody;
}

/** Signs in and connects the device. @returns the page that reports the result. */
export async function signInAndConnect(browser: Browser, userCode: string, account: TestAccount): Promise<string> {
  const state = await signInForDevice(browser, userCode, account);
  return stringMember(await submitStep(browser, state, { action: "connect-device" }), "redirect_to");
}
