import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { openBrowser } from "../support/browser.ts";
import { codeGrant, login, tokens } from "../support/flow.ts";
import { insertHost } from "../support/rows.ts";
import { openLogoutService } from "./receivers.ts";

test("a logout token has the issuer under which the user signed in, and is signed with a key of that issuer", async () => {
  const service = await openLogoutService();
  const own = "https://login.main.example/";
  const app = await service.receiver("app");
  await insertHost(service, "main", "login.main.example");
  service.clock.advance("6s");
  const browser = openBrowser({ ...service.postern, issuer: own });
  const { code = "" } = await login(browser, app, service.ada);
  const body = new URLSearchParams(codeGrant(app, code)).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const exchanged = await service.postern.fetch(new Request(`${own}oauth/token`, { method: "POST", headers, body }));
  const { id } = tokens({ status: exchanged.status, headers: exchanged.headers, body: await exchanged.json() });
  expect(decodeJwt(id)).toMatchObject({ iss: own });
  await browser.get("/v2/logout");
  await service.deliver();
  const [received] = service.take();
  const { payload, protectedHeader } = await service.verify(received?.token ?? "");
  expect(payload).toMatchObject({ iss: own, sid: decodeJwt(id)["sid"] });
  const jwks: unknown = await (await service.postern.fetch(new Request(`${own}.well-known/jwks.json`))).json();
  expect(JSON.stringify(jwks)).toContain(protectedHeader.kid ?? "no key");
});

test("a token for an issuer that the tenant no longer has is not sent", async () => {
  const service = await openLogoutService();
  const app = await service.receiver("app");
  const browser = service.browser();
  await login(browser, app, service.ada);
  await service.data.collections.sessions.update({ tenant_id: "main" }, { set: { issuer: "https://gone.example/" } });
  await browser.get("/v2/logout");
  await service.deliver();
  expect(service.take()).toEqual([]);
  expect(jsonBody(await service.manage("GET", "/api/v2/logout-deliveries?include_totals=true"))).toMatchObject({
    logout_deliveries: [{ status: "failed", last_error: expect.stringContaining("no longer has the issuer") }],
  });
});
