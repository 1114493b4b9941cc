import type { PostLoginEvent } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { list } from "../support/api.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  openService,
  submit,
  tokens,
  type TestAccount,
} from "../support/flow.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";

test("a session records that a user signed in with a password and then with a code; tokens, Actions and the Management API return only the code", async () => {
  const data = createMemoryAdapter({ strict: true });
  const outbox = createOutbox();
  const events: PostLoginEvent[] = [];
  const actions = [{ name: "record", onExecutePostLogin: (event: PostLoginEvent) => void events.push(event) }];
  const service = await openService({ data, messages: { mail: outbox.mail }, actions });
  const options = { passwordPolicy: "none", authentication_methods: { email_otp: { enabled: true } } };
  await service.manage.create("/api/v2/connections", { name: "BothWays", strategy: "auth0", options });
  const [email, password] = ["both@example.test", "correct horse battery"];
  const { user_id: userId } = await service.manage.create("/api/v2/users", {
    connection: "BothWays",
    email,
    password,
    email_verified: true,
  });
  const both: TestAccount = { email, password, userId: String(userId) };
  const authTimeOf = (instant: string): number => Date.parse(instant) / 1000;

  const browser = service.browser();
  const requested = { connection: "BothWays" };
  const first = await login(browser, service.spa, both, requested);
  const withPassword = claimsOf(tokens(await service.exchange(codeGrant(service.spa, first["code"] ?? ""))).id);
  expect(withPassword["amr"]).toEqual(["pwd"]);
  const passwordAt = new Date(service.clock.now()).toISOString();

  service.clock.advance("1m");
  const state = loginState(await sendAuthorization(browser, service.spa, { ...requested, prompt: "login" }));
  await submit(browser, state, { action: "continue", identifier: email });
  await submit(browser, state, { action: "send-code" });
  const { code = "" } = successParameters(await submit(browser, state, { action: "enter-code", code: codeOf(outbox.take(email)) }));
  const withCode = claimsOf(tokens(await service.exchange(codeGrant(service.spa, code))).id);
  const codeAt = new Date(service.clock.now()).toISOString();
  expect(withCode).toMatchObject({ sid: withPassword["sid"], amr: ["otp"], auth_time: authTimeOf(codeAt) });

  const newest = [{ name: "otp", timestamp: codeAt }];
  const shown = list(await service.manage("GET", `/api/v2/users/${encodeURIComponent(both.userId)}/sessions`), "sessions");
  expect(shown).toMatchObject([{ id: withPassword["sid"], authentication: { methods: newest } }]);
  expect(events.at(-1)?.authentication).toEqual({ methods: newest });

  const stored = await data.collections.sessions.find({ where: { tenant_id: "main", user_id: both.userId }, limit: 2 });
  expect(stored.map(({ authentication }) => authentication)).toEqual([
    {
      methods: [
        { name: "pwd", timestamp: Date.parse(passwordAt), channels: [] },
        { name: "otp", timestamp: Date.parse(codeAt), channels: ["both@example.test"] },
      ],
    },
  ]);
});
