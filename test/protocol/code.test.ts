import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { auditEvents, expectError } from "../support/api.ts";
import {
  codeGrant,
  login,
  offline,
  openService,
  refreshGrant,
  tokens,
  randomString,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

describe.each(stores)("authorization codes on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;
  beforeAll(async () => {
    data = await open();
    service = await openService({ data });
  });
  afterAll(() => data.close?.());

  const codeFor = async (app = service.web, parameters: AuthorizationParameters = offline): Promise<string> => {
    const { code = "" } = await login(service.browser(), app, service.ada, parameters);
    return code;
  };

  test("issues tokens once for a code, and revokes them if it is replayed", async () => {
    const code = await codeFor();
    const first = tokens(await service.exchange(codeGrant(service.web, code)));
    expect((await service.userinfo(first.access)).status).toBe(200);
    expectError(await service.exchange(codeGrant(service.web, code)), 400, "invalid_grant");
    expect((await service.userinfo(first.access)).status).toBe(401);
    expectError(await service.exchange(refreshGrant(service.web, first.refresh)), 400, "invalid_grant");
    for (const token of [first.access, first.refresh]) {
      const body = { client_id: service.web.clientId, client_secret: service.web.secret, token };
      expect((await service.call("POST", "/oauth/introspect", { body })).body).toEqual({ active: false });
    }
  });

  test("revokes the tokens if another client replays the code, and issues none to that client", async () => {
    const code = await codeFor();
    const first = tokens(await service.exchange(codeGrant(service.web, code)));
    expectError(await service.exchange(codeGrant(service.spa, code)), 400, "invalid_grant");
    expect((await service.userinfo(first.access)).status).toBe(401);
  });

  test("revokes only the tokens of a replayed code, and no others of the session", async () => {
    const browser = service.browser();
    const codeOf = async (): Promise<string> => (await login(browser, service.web, service.ada, offline))["code"] ?? "";
    const [one, two] = [await codeOf(), await codeOf()];
    const stored = tokens(await service.exchange(codeGrant(service.web, one)));
    tokens(await service.exchange(codeGrant(service.web, two)));
    await service.exchange(codeGrant(service.web, two));
    expect((await service.userinfo(stored.access)).status).toBe(200);
    tokens(await service.exchange(refreshGrant(service.web, stored.refresh)));
  });

  test("rejects a replay after 30 seconds as well", async () => {
    const code = await codeFor();
    const first = tokens(await service.exchange(codeGrant(service.web, code)));
    service.clock.advance("30s");
    expectError(await service.exchange(codeGrant(service.web, code)), 400, "invalid_grant");
    expect((await service.userinfo(first.access)).status).toBe(401);
  });

  test("issues tokens for one of 32 parallel redemptions, and the other redemptions revoke these tokens", async () => {
    const code = await codeFor(service.spa);
    const responses = await Promise.all(Array.from({ length: 32 }, () => service.exchange(codeGrant(service.spa, code))));
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const response of responses) if (response.status !== 200) expectError(response, 400, "invalid_grant");
    for (const response of won) {
      const { access, refresh } = tokens(response);
      expect((await service.userinfo(access)).status).toBe(401);
      expectError(await service.exchange(refreshGrant(service.spa, refresh)), 400, "invalid_grant");
    }
  });

  const wrong: readonly {
    readonly what: string;
    readonly app?: "spa";
    readonly parameters?: AuthorizationParameters;
    readonly more: (s: LoginService) => AuthorizationParameters;
  }[] = [
    { what: "a wrong verifier", more: () => ({ code_verifier: randomString() + randomString() }) },
    { what: "an invalid verifier", more: () => ({ code_verifier: "short" }) },
    { what: "no verifier", more: () => ({ code_verifier: undefined }) },
    { what: "no verifier, of a public client", app: "spa", more: () => ({ code_verifier: undefined }) },
    {
      what: "a verifier for a code without a challenge",
      parameters: { code_challenge: undefined, code_challenge_method: undefined },
      more: () => ({}),
    },
    { what: "another redirect_uri", more: () => ({ redirect_uri: "https://app.example.test/other" }) },
    { what: "no redirect_uri", more: () => ({ redirect_uri: undefined }) },
    { what: "an overlong redirect_uri", more: () => ({ redirect_uri: `https://app.example.test/${"x".repeat(5000)}` }) },
    { what: "another client", more: (s) => ({ client_id: s.spa.clientId, client_secret: undefined }) },
  ];

  test.each(wrong)("rejects and invalidates a code that is sent with $what", async ({ app, parameters: requested, more }) => {
    const used = app === "spa" ? service.spa : service.web;
    const code = await codeFor(used, { ...offline, ...requested });
    expectError(await service.exchange(codeGrant(used, code, more(service))), 400, "invalid_grant");
    const right = requested === undefined ? {} : { code_verifier: undefined };
    expectError(await service.exchange(codeGrant(used, code, right)), 400, "invalid_grant");
  });

  test("rejects the wrong one of a correct and a wrong exchange in parallel, and revokes the tokens if the correct one got any", async () => {
    const code = await codeFor();
    const [right, invalid] = await Promise.all([
      service.exchange(codeGrant(service.web, code)),
      service.exchange(codeGrant(service.web, code, { code_verifier: randomString() + randomString() })),
    ]);
    expectError(invalid, 400, "invalid_grant");
    if (right.status === 200) expect((await service.userinfo(tokens(right).access)).status).toBe(401);
  });

  test("leaves a code valid if the client does not authenticate", async () => {
    const code = await codeFor();
    expectError(
      await service.exchange(codeGrant(service.web, code, { client_secret: "not-the-secret-of-this-client" })),
      401,
      "invalid_client",
    );
    expectError(await service.exchange(codeGrant(service.web, code, { client_secret: undefined })), 401, "invalid_client");
    tokens(await service.exchange(codeGrant(service.web, code)));
  });

  test("exchanges a code without a challenge for a confidential client that sends no verifier", async () => {
    const code = await codeFor(service.web, { code_challenge: undefined, code_challenge_method: undefined });
    tokens(await service.exchange(codeGrant(service.web, code, { code_verifier: undefined })));
  });

  test("does not require a redirect URI that was missing at /authorize, and treats empty parameters as missing", async () => {
    const code = await codeFor(service.web, { redirect_uri: undefined });
    tokens(await service.exchange(codeGrant(service.web, code, { redirect_uri: "" })));
  });

  test("expires a code after one minute", async () => {
    const [codeAfter59Seconds, codeAfter60Seconds] = [await codeFor(), await codeFor()];
    service.clock.advance("59s");
    tokens(await service.exchange(codeGrant(service.web, codeAfter59Seconds)));
    service.clock.advance("1s");
    expectError(await service.exchange(codeGrant(service.web, codeAfter60Seconds)), 400, "invalid_grant");
  });

  test("creates codes of 256 bits, and rejects unknown codes", async () => {
    expect(await codeFor()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expectError(await service.exchange(codeGrant(service.web, randomString())), 400, "invalid_grant");
  });

  test("rejects a code if its user was blocked, deleted or signed out after it was issued", async () => {
    const [blocked, removed] = [await service.addUser("blocked@example.test"), await service.addUser("removed@example.test")];
    const code = async (account: typeof blocked, browser = service.browser()): Promise<string> =>
      (await login(browser, service.web, account, offline))["code"] ?? "";

    const first = await code(blocked);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(blocked.userId)}`, { blocked: true });
    expectError(await service.exchange(codeGrant(service.web, first)), 400, "access_denied", "user is blocked");
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(blocked.userId)}`, { blocked: false });
    expectError(await service.exchange(codeGrant(service.web, first)), 400, "invalid_grant");

    const second = await code(removed);
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(removed.userId)}`);
    expectError(await service.exchange(codeGrant(service.web, second)), 400, "invalid_grant");

    const browser = service.browser();
    const third = await code(service.ada, browser);
    await browser.get("/v2/logout");
    expectError(await service.exchange(codeGrant(service.web, third)), 400, "invalid_grant");
  });

  test("logs exchanges and rejections", async () => {
    const code = await codeFor();
    await service.exchange(codeGrant(service.web, code));
    await service.exchange(codeGrant(service.web, code));
    service.clock.advance("5s");
    expect((await auditEvents(service.manage, "seacft"))[0]).toMatchObject({
      user_id: service.ada.userId,
      client_id: service.web.clientId,
    });
    expect((await auditEvents(service.manage, "feacft"))[0]).toMatchObject({ client_id: service.web.clientId });
  });
});
