import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import { login, type LoginService } from "../support/flow.ts";
import { stores } from "../protocol/stores.ts";
import { openPushed, openPushingService, push, pushedUri } from "./pushing.ts";

describe.each(stores)("on $name", ({ open }) => {
  let data: CountingAdapter;
  let service: LoginService;

  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await openPushingService({ data });
  });
  afterAll(() => data.close?.());

  test("a push costs one statement, and the login that uses it costs two more than another one", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const uri = await pushedUri(service, service.web);
    const sent = await data.costOf(() => login(browser, service.web, service.ada));
    const pushed = await data.costOf(() => openPushed(browser, service.web, uri));
    expect(pushed.statements.toSorted()).toEqual([...sent.statements, "pushed_requests.find", "pushed_requests.update"].toSorted());
    expect((await data.costOf(() => push(service, service.web))).statements).toEqual(["pushed_requests.insert"]);
  });
});
