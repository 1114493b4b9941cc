import { spawnSync } from "node:child_process";
import * as app from "@postern/app";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertConsent } from "./support/rows.ts";
import { commandOf, examples, runShell, runTypeScript } from "./support/guides.ts";
import { serve, type ServedPostern } from "./support/http.ts";
import { clientSecret } from "./support/postern.ts";

const hasTools = ["curl", "jq"].every((tool) => spawnSync(tool, ["--version"]).error === undefined);
const audience = "https://api.example.com";
const email = "ada@example.com";
const password = "correct horse battery";

let service: ServedPostern;
beforeAll(async () => {
  service = await serve();
  const settings = { app_type: "regular_web", callbacks: ["https://app.example.test/callback"] } as const;
  await service.postern.seed({
    tenantId: "main",
    clients: [
      { clientId: "app", secret: clientSecret, settings: { ...settings, name: "App", grant_types: ["password"] } },
      { clientId: "agent", secret: clientSecret, settings: { ...settings, name: "Agent", grant_types: ["authorization_code"] } },
    ],
    user: { email, password },
  });
  const { resourceServers } = service.postern.tenant("main");
  await resourceServers.create({ identifier: audience, name: "Billing", scopes: [{ value: "read:invoices" }], token_lifetime: 3600 });
});
afterAll(() => service.close());

/** Runs the examples of `docs/agents.md` as they are printed. */
test.runIf(hasTools)("an agent acts for a user as docs/agents.md describes", async () => {
  const { postern } = service;
  const guide = "agents";
  const heading = "Allow the agent to act";
  const variables = { ISSUER: `${service.origin}/`, TOKEN: await service.token(), AGENT_ID: "agent", AGENT_SECRET: clientSecret };
  for (const code of examples(guide, heading, "ts")) await runTypeScript(code, { postern, clientId: "agent" });
  expect(await postern.tenant("main").clients.get("agent")).toMatchObject({ token_exchange: { may_act: true } });
  await postern.tenant("main").clients.update("agent", { grant_types: ["authorization_code"], token_exchange: null });
  for (const code of examples(guide, heading, "sh")) await runShell(code, variables);

  const form = { grant_type: "password", client_id: "app", client_secret: clientSecret, username: email, password, audience };
  const signedIn = await fetch(`${service.origin}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ ...form, scope: "read:invoices" }),
  });
  const { access_token: userToken } = (await signedIn.json()) as { readonly access_token: string };
  const exchanging = commandOf(guide, "Exchange the user's token");
  const exchange = async () => JSON.parse(await runShell(exchanging.command, { ...variables, USER_TOKEN: userToken }));
  expect(await exchange()).toMatchObject({ error: "interaction_required" });

  const [user] = await service.data.collections.users.find({ where: { tenant_id: "main", email }, limit: 1 });
  const id = await insertConsent(service, "main", { userId: user?.user_id ?? "", clientId: "agent", audience, scope: [] });
  await service.data.collections.consents.update({ tenant_id: "main", id }, { set: { may_act: true } });
  const issued = await exchange();
  // The token of the user was issued some seconds ago.
  expect(issued.expires_in).toBeGreaterThan(3500);
  expect({ ...issued, access_token: "…", expires_in: 3600 }).toEqual(JSON.parse(exchanging.response));

  const [reading = ""] = examples(guide, "Read who acts", "ts");
  const { readInvoices } = await runTypeScript(reading, { postern }, { "@postern/app": app });
  if (typeof readInvoices !== "function") throw new Error("the guide declares no function");
  const request = new Request(audience, { headers: { authorization: `Bearer ${issued.access_token}` } });
  expect(await (await readInvoices(request)).json()).toEqual({ user: user?.user_id, agent: "agent" });
});
