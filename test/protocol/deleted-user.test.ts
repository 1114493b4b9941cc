import { expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import {
  sendAuthorization,
  obtainTokens,
  offline,
  openService,
  refreshGrant,
  errorParameters,
  type LoginService,
} from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Deletes a user and creates another one with the same id, as an import can. */
async function replaceAda({ manage, ada }: LoginService): Promise<void> {
  expect(await manage("DELETE", `/api/v2/users/${encodeURIComponent(ada.userId)}`)).toMatchObject({ status: 204 });
  const [connection, id] = ada.userId.split("|");
  const other = { connection, user_id: id, email: "other@example.test", name: "Other User" };
  expect(stringMember(jsonBody(await manage("POST", "/api/v2/users", other), 201), "user_id")).toBe(ada.userId);
}

test("tokens that were issued to a deleted user are invalid for a new user with the same id, before and after a sweep", async () => {
  const service = await openService();
  const { web, ada, clock } = service;
  const gateway = await service.register({ secret: true, grant_types: ["authorization_code", "refresh_token", exchangeGrant] });
  const client = { client_id: gateway.clientId, client_secret: clientSecret };
  const browser = service.browser();
  const issued = await obtainTokens(service, gateway, ada, offline, browser);
  expect((await service.userinfo(issued.access)).status).toBe(200);
  await replaceAda(service);

  for (const wait of [0, "1s", "20h"] as const) {
    clock.advance(wait);
    while (!(await service.postern.jobs.sweep()).finished);
    expectError(await service.userinfo(issued.access), 401, "invalid_token");
    for (const token of [issued.access, issued.refresh]) {
      expect(await service.call("POST", "/oauth/introspect", { body: { ...client, token } })).toMatchObject({ body: { active: false } });
    }
    expectError(await service.exchange(refreshGrant(gateway, issued.refresh)), 400, "invalid_grant");
    const exchanged = { grant_type: exchangeGrant, subject_token_type: "urn:ietf:params:oauth:token-type:access_token", ...client };
    expectError(await service.exchange({ ...exchanged, subject_token: issued.access }), 400, "invalid_request", "revoked");
    expect(errorParameters(await sendAuthorization(browser, web, { prompt: "none" }))).toMatchObject({ error: "login_required" });
  }
});
