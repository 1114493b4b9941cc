import { beforeEach, expect, test } from "vitest";
import { formFields, type Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  successParameters,
  loginState,
  openService,
  sendForm,
  submit,
  readResult,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";

/** A user clicks a button several times while a slow server responds: the form counts once. */

let service: LoginService;
let browser: Browser;
let form: string;
let state: string;

beforeEach(async () => {
  service = await openService();
  browser = service.browser();
  state = loginState(await sendAuthorization(browser, service.web));
  await submit(browser, state, { action: "continue", identifier: service.ada.email });
  form = await page();
});

const page = async (): Promise<string> => (await browser.get(`/u/login?${new URLSearchParams({ state, step: "password" })}`)).text();
const send = async (password: string, html = form): Promise<FlowResult> =>
  readResult(await sendForm(browser, html, { action: "sign-in", password }));
const clicks = async (count: number, password: string): Promise<FlowResult[]> =>
  Promise.all(Array.from({ length: count }, () => send(password)));
const passwordStep = { kind: "login", step: "password" };

test("counts five clicks with a wrong password as one attempt, and the correct password signs in afterwards", async () => {
  for (const response of await clicks(5, "wrong")) expect(response).toMatchObject(passwordStep);
  for (let i = 0; i < 5; i++) expect(await send("wrong")).toMatchObject(passwordStep);
  const failures = (await service.manage("GET", "/api/v2/logs?per_page=100")).body;
  expect(JSON.stringify(failures).match(/"type":"fp"/g)).toHaveLength(1);
  successParameters(await send(service.ada.password));
});

test("signs in after five clicks with the correct password, whichever response the browser waits for", async () => {
  for (const response of await clicks(5, service.ada.password)) successParameters(response);
});

test("counts another password in the same form as another attempt, and also the same password in a new form", async () => {
  await send("wrong 1");
  await send("wrong 2");
  const newer = await page();
  expect(formFields(newer)["csrf"]).not.toBe(formFields(form)["csrf"]);
  expect(await page()).not.toContain("Too many attempts");
  await send("wrong 2", newer);
  expect(await send(service.ada.password, newer)).toMatchObject(passwordStep);
  expect(await page()).toContain("Too many attempts");
});

test("stores nothing from which the password that was typed into a form can be derived", async () => {
  await send("wrong 1");
  const rows = JSON.stringify(await service.data.collections.login_attempts.find({ where: { tenant_id: "main" }, limit: 10 }));
  expect(rows).toContain("forms");
  expect(rows).not.toContain("wrong 1");
});
