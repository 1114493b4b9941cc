import type { CredentialsExchangeEvent, SendPhoneMessageEvent } from "@postern/core";
import { describe, expect, test } from "vitest";
import { claimsOf, openService, tokens } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";
import { openActionService } from "./acting.ts";

describe("an action at a client's own token", async () => {
  const { service, setActions: act, failures } = await openActionService();
  await service.manage.create("/api/v2/resource-servers", {
    identifier: "https://jobs.example/",
    name: "Jobs",
    scopes: [{ value: "read" }, { value: "write" }],
  });
  await service.manage.create("/api/v2/client-grants", {
    client_id: service.web.clientId,
    audience: "https://jobs.example/",
    scope: ["read", "write"],
  });
  const ask = (more: { readonly [name: string]: string } = {}) =>
    service.exchange({
      grant_type: "client_credentials",
      client_id: service.web.clientId,
      client_secret: clientSecret,
      audience: "https://jobs.example/",
      ...more,
    });

  test("is told what is asked for, sets claims and takes scopes out", async () => {
    const told: CredentialsExchangeEvent[] = [];
    act(
      {
        onExecuteCredentialsExchange: (event, api) => {
          told.push(event);
          api.accessToken.setCustomClaim("tier", 3);
          api.accessToken.removeScope("write");
        },
      },
      { onExecuteCredentialsExchange: (event) => void told.push(event) },
    );
    const { access, scope } = tokens(await ask());
    expect(claimsOf(access)).toMatchObject({ tier: 3, scope: "read", sub: `${service.web.clientId}@clients` });
    expect(scope).toBe("read");
    expect(told).toMatchObject([
      {
        client: { client_id: service.web.clientId },
        resource_server: { identifier: "https://jobs.example/" },
        accessToken: { scope: ["read", "write"] },
      },
      { accessToken: { scope: ["read"], customClaims: { tier: 3 } }, secrets: { KEY: "second-secret" } },
    ]);
  });

  test("denies with a code of its own; a failure says nothing of the reason", async () => {
    act({ onExecuteCredentialsExchange: (event, api) => api.access.deny("invalid_scope", "not on Sundays") });
    expect(await ask()).toMatchObject({ status: 400, body: { error: "invalid_scope", error_description: "not on Sundays" } });
    act({ onExecuteCredentialsExchange: (event, api) => api.accessToken.setCustomClaim("sub", "admin") });
    expect(await ask()).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    expect(failures().at(-1)).toMatchObject({ trigger: "onExecuteCredentialsExchange" });
  });
});

describe("an action that sends text messages", () => {
  test("stands in for a sender", async () => {
    const told: SendPhoneMessageEvent[] = [];
    const service = await openService({
      actions: [{ secrets: { SID: "s" }, onExecuteSendPhoneMessage: (event) => void told.push(event) }],
    });
    await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    const sent = await service.call("POST", "/passwordless/start", {
      body: { client_id: service.spa.clientId, send: "code", connection: "sms", phone_number: "+14155552671" },
    });
    expect(sent.status).toBe(200);
    expect(told).toMatchObject([
      {
        secrets: { SID: "s" },
        tenant: { id: "main" },
        message_options: { recipient: "+14155552671", message_type: "sms", code: expect.stringMatching(/^\d{6}$/) },
      },
    ]);
  });
});
