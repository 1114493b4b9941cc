import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { expectError } from "../support/api.ts";
import { sendAuthorization, login, codeGrant, openService, tokens, type LoginService } from "../support/flow.ts";
import { stores } from "./stores.ts";

/**
 * A tenant that was deleted and created again with the same id. This is the worst case, where all other rows are
 * unchanged.
 */
describe.each(stores)("a recreated tenant on $name", ({ open }) => {
  let data: DataAdapter;
  let service: LoginService;

  beforeAll(async () => {
    data = await open();
    service = await openService({ data });
  });
  afterAll(() => data.close?.());

  test("rejects tokens that are older than the tenant: access token, Management API token and hint", async () => {
    const browser = service.browser();
    const { code = "" } = await login(browser, service.web, service.ada);
    const { access, id } = tokens(await service.exchange(codeGrant(service.web, code)));
    const manager = await service.token();
    const silent = () => sendAuthorization(browser, service.web, { prompt: "none", id_token_hint: id });
    const look = async () => [await service.userinfo(access), await service.call("GET", "/api/v2/clients", { token: manager })];
    // The tenant is now created in the second in which the tokens were issued, so they do not count as older.
    const second = Math.floor(service.clock.now() / 1000) * 1000;
    await data.collections.tenants.update({ id: "main" }, { set: { created_at: second + 999 } });
    service.clock.advance("6s");
    for (const response of await look()) expect(response).toMatchObject({ status: 200 });
    expect(await silent()).toMatchObject({ parameters: { code: expect.any(String) } });

    await data.collections.tenants.update({ id: "main" }, { set: { created_at: second + 1000 } });
    service.clock.advance("6s");
    for (const response of await look()) expectError(response, 401, "invalid_token");
    expect(await silent()).toMatchObject({ kind: "response", parameters: { error: "invalid_request" } });
    expect(await service.call("GET", "/api/v2/clients", { token: await service.token() })).toMatchObject({ status: 200 });
  });
});
