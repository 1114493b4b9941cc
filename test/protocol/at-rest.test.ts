import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { formFields } from "../support/browser.ts";
import { clientSecret } from "../support/postern.ts";
import {
  sendAuthorization,
  codeGrant,
  successParameters,
  loginState,
  offline,
  openService,
  refreshGrant,
  submitStep,
  submit,
  tokens,
} from "../support/flow.ts";
import { recordingAdapter } from "./stores.ts";

test("stores no code, token, cookie, password, client secret or private key in plain text", async () => {
  const { data, written } = recordingAdapter(createMemoryAdapter({ strict: true }));
  const service = await openService({ data });
  const secrets: { [name: string]: string } = { password: service.ada.password, clientSecret };
  const browser = service.browser();

  const state = loginState(await sendAuthorization(browser, service.spa, offline));
  const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
  secrets["csrf"] = formFields(page)["csrf"] ?? "";
  await submitStep(browser, state, { action: "continue", identifier: service.ada.email });
  const { code = "" } = successParameters(await submit(browser, state, { action: "sign-in", password: service.ada.password }));
  secrets["code"] = code;
  const first = tokens(await service.exchange(codeGrant(service.spa, code)));
  const second = tokens(await service.exchange(refreshGrant(service.spa, first.refresh)));
  service.clock.advance("31s");
  const third = tokens(await service.exchange(refreshGrant(service.spa, first.refresh)));
  for (const [index, { access, id, refresh }] of [first, second, third].entries()) {
    Object.assign(secrets, { [`access ${index}`]: access, [`id ${index}`]: id, [`refresh ${index}`]: refresh });
  }
  for (const [name, value] of browser.cookies) secrets[`cookie ${name}`] = value;

  const stored = written();
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(10);
    expect(stored.includes(secret), name).toBe(false);
    expect(stored.includes(Buffer.from(secret).toString("base64")), `${name}, encoded`).toBe(false);
  }
  // The search finds values that are stored in plain text.
  expect(stored).toContain(service.ada.email);
  expect(stored).toContain(createHash("sha256").update(code).digest("base64url"));
  expect(stored).not.toMatch(/PRIVATE KEY|"d":"/);
});
