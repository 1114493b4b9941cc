import type { CredentialsExchangeEvent, SendPhoneMessageEvent } from "@postern/core";
import { describe, expect, test } from "vitest";
import { claimsOf, openService, tokens } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";
import { openActionService } from "./action-service.ts";

describe("an action for the client credentials grant", async () => {
  const { service, setActions, failures } = await openActionService();
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
  const request = (more: { readonly [name: string]: string } = {}) =>
    service.exchange({
      grant_type: "client_credentials",
      client_id: service.web.clientId,
      client_secret: clientSecret,
      audience: "https://jobs.example/",
      ...more,
    });

  test("receives the request, sets claims and removes scopes", async () => {
    const result: CredentialsExchangeEvent[] = [];
    setActions(
      {
        onExecuteCredentialsExchange: (event, api) => {
          result.push(event);
          api.accessToken.setCustomClaim("tier", 3);
          api.accessToken.removeScope("write");
        },
      },
      { onExecuteCredentialsExchange: (event) => void result.push(event) },
    );
    const { access, scope } = tokens(await request());
    expect(claimsOf(access)).toMatchObject({ tier: 3, scope: "read", sub: `${service.web.clientId}@clients` });
    expect(scope).toBe("read");
    expect(result).toMatchObject([
      {
        client: { client_id: service.web.clientId },
        resource_server: { identifier: "https://jobs.example/" },
        accessToken: { scope: ["read", "write"] },
      },
      { accessToken: { scope: ["read"], customClaims: { tier: 3 } }, secrets: { KEY: "second-secret" } },
    ]);
  });

  test("can deny the token with its own error code, and a failure of the action reveals no reason", async () => {
    setActions({ onExecuteCredentialsExchange: (event, api) => api.access.deny("invalid_scope", "not on Sundays") });
    expect(await request()).toMatchObject({ status: 400, body: { error: "invalid_scope", error_description: "not on Sundays" } });
    setActions({ onExecuteCredentialsExchange: (event, api) => api.accessToken.setCustomClaim("sub", "admin") });
    expect(await request()).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    expect(failures().at(-1)).toMatchObject({ trigger: "onExecuteCredentialsExchange" });
  });
});

describe("an action that sends text messages", () => {
  test("replaces the host's sender of text messages", async () => {
    const result: SendPhoneMessageEvent[] = [];
    const service = await openService({
      actions: [{ secrets: { SID: "s" }, onExecuteSendPhoneMessage: (event) => void result.push(event) }],
    });
    await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    const sent = await service.call("POST", "/passwordless/start", {
      body: { client_id: service.spa.clientId, send: "code", connection: "sms", phone_number: "+14155552671" },
    });
    expect(sent.status).toBe(200);
    expect(result).toMatchObject([
      {
        secrets: { SID: "s" },
        tenant: { id: "main" },
        message_options: { recipient: "+14155552671", message_type: "sms", code: expect.stringMatching(/^\d{6}$/) },
      },
    ]);
  });
});
