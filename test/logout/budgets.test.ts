import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import { obtainTokens, offline, type App } from "../support/flow.ts";
import { stores } from "../protocol/stores.ts";
import { openLogoutService, type LogoutService } from "./receivers.ts";

describe.each(stores)("the end of a session on $name", ({ open }) => {
  let data: CountingAdapter;
  let service: LogoutService;
  let receiver: App;
  let token: string;

  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await openLogoutService({ data });
    receiver = await service.receiver("app", { backchannel_logout_initiators: { mode: "all" } });
    token = await service.token();
  });
  afterAll(() => data.close?.());

  /** Returns the statements of a request that ends a session of a client, with cached settings. */
  const costOf = async (
    app: App,
    request: (session: { readonly sid: string; readonly cookie: () => Promise<Response> }) => Promise<unknown>,
  ) => {
    const browser = service.browser();
    // Fills the cache of settings.
    await service.call("GET", "/api/v2/clients?per_page=1", { token });
    const { id } = await obtainTokens(service, app, service.ada, offline, browser);
    const session = { sid: String(decodeJwt(id)["sid"]), cookie: () => browser.get("/v2/logout") };
    return (await data.costOf(() => request(session))).statements;
  };
  const revocation = ["sessions.update", "refresh_tokens.update", "logs.insert"];
  /** Leaves out a statement that is not part of the comparison. */
  const without = (name: string, statements: readonly string[]): readonly string[] => statements.filter((statement) => statement !== name);

  test.each([false, true])("costs a logout no further statement (client with a logout URL: %s)", async (hasUrl) => {
    const statements = await costOf(hasUrl ? receiver : service.web, ({ cookie }) => cookie());
    // The first page after a while reads the custom texts of the tenant.
    expect(without("custom_texts.find", statements)).toEqual(["sessions.find", ...revocation]);
  });

  test.each([false, true])("costs a revocation no further statement (client with a logout URL: %s)", async (hasUrl) => {
    const app = hasUrl ? receiver : service.web;
    const remove = ({ sid }: { readonly sid: string }) => service.call("DELETE", `/api/v2/sessions/${sid}`, { token });
    expect(await costOf(app, remove)).toEqual(revocation);
    const revoke = ({ sid }: { readonly sid: string }) => service.call("POST", `/api/v2/sessions/${sid}/revoke`, { token });
    expect(await costOf(app, revoke)).toEqual(["sessions.count", ...revocation]);
  });

  test("costs a change of the user one read of the sessions only if the email address changes", async () => {
    const path = `/api/v2/users/${encodeURIComponent(service.bob.userId)}`;
    const change = async (body: object): Promise<readonly string[]> => {
      const { statements } = await data.costOf(async () => {
        expect((await service.call("PATCH", path, { token, body })).status).toBe(200);
      });
      return without("logs.insert", statements);
    };
    await change({ name: "Bob" });
    expect(await change({ name: "Robert" })).toEqual(["users.find", "users.update"]);
    expect(await change({ email: "robert@example.test" })).toEqual(["users.find", "sessions.find", "users.update"]);
  });

  test("costs an idle call of deliverEvents two statements", async () => {
    while (!(await service.deliver()).finished);
    const { statements } = await data.costOf(() => service.deliver());
    expect(statements).toEqual(["sessions.find", "logout_deliveries.find", "log_streams.find"]);
  });
});
