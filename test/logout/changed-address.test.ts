import { expect, test } from "vitest";
import { openScriptedProvider } from "../upstream/scripted-provider.ts";

test("another email address at the identity provider tells the clients of the user's sessions, and other letters do not", async () => {
  const provider = await openScriptedProvider();
  const { service, signInAs } = provider;
  const oidc_logout = {
    backchannel_logout_urls: ["https://app.example.test/backchannel-logout"],
    backchannel_logout_initiators: { mode: "custom", selected_initiators: ["email-identifier-changed"] },
  };
  expect((await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}`, { oidc_logout })).status).toBe(200);
  const queued = () => service.data.collections.logout_deliveries.find({ where: { tenant_id: "main" }, limit: 10 });
  await signInAs({ sub: "ann", email: "ann@people.example", email_verified: true });
  await signInAs({ sub: "ann", email: "Ann@people.example", email_verified: true });
  expect(await queued()).toEqual([]);
  await signInAs({ sub: "ann", email: "ann@new.example", email_verified: true });
  const rows = await queued();
  expect(rows).toMatchObject([{ initiator: "email-identifier-changed" }, { initiator: "email-identifier-changed" }]);
  for (const { session_id: id } of rows) expect((await service.manage("GET", `/api/v2/sessions/${id}`)).status).toBe(200);
});
