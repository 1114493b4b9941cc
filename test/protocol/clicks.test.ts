import { beforeEach, expect, test } from "vitest";
import { formFields, type Browser } from "../support/browser.ts";
import {
  authorize,
  successParameters,
  loginState,
  openService,
  sendForm,
  submit,
  readResult,
  type LoginService,
  type FlowResult,
} from "../support/flow.ts";

/** People who click a button more than once while a slow server answers: what they sent once counts once. */

let service: LoginService;
let browser: Browser;
let form: string;
let state: string;

beforeEach(async () => {
  service = await openService();
  browser = service.browser();
  state = loginState(await authorize(browser, service.web));
  await submit(browser, state, { action: "continue", identifier: service.ada.email });
  form = await page();
});

const page = async (): Promise<string> => (await browser.get(`/u/login?${new URLSearchParams({ state, step: "password" })}`)).text();
const send = async (password: string, html = form): Promise<FlowResult> =>
  readResult(await sendForm(browser, html, { action: "sign-in", password }));
const clicks = async (count: number, password: string): Promise<FlowResult[]> =>
  Promise.all(Array.from({ length: count }, () => send(password)));
const again = { kind: "login", step: "password" };

test("five clicks on a wrong password are one try, and the right one signs in afterwards", async () => {
  for (const answer of await clicks(5, "wrong")) expect(answer).toMatchObject(again);
  for (let i = 0; i < 5; i++) expect(await send("wrong")).toMatchObject(again);
  const failures = (await service.manage("GET", "/api/v2/logs?per_page=100")).body;
  expect(JSON.stringify(failures).match(/"type":"fp"/g)).toHaveLength(1);
  successParameters(await send(service.ada.password));
});

test("five clicks on the right password end signed in, whichever answer the browser waits for", async () => {
  for (const answer of await clicks(5, service.ada.password)) successParameters(answer);
});

test("another password in the same form is another try, and so is the same one in a new form", async () => {
  await send("wrong 1");
  await send("wrong 2");
  const newer = await page();
  expect(formFields(newer)["csrf"]).not.toBe(formFields(form)["csrf"]);
  expect(await page()).not.toContain("Too many attempts");
  await send("wrong 2", newer);
  expect(await send(service.ada.password, newer)).toMatchObject(again);
  expect(await page()).toContain("Too many attempts");
});

test("nothing that is kept of a form leads back to the password that was typed in it", async () => {
  await send("wrong 1");
  const rows = JSON.stringify(await service.data.collections.login_attempts.find({ where: { tenant_id: "main" }, limit: 10 }));
  expect(rows).toContain("forms");
  expect(rows).not.toContain("wrong 1");
});
