import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import { obtainTokens, offline, openService, refreshGrant, tokens, type LoginService } from "../support/flow.ts";
import { stores } from "./stores.ts";

describe.each(stores)("parallel refreshes on $name", ({ open }) => {
  let data: CountingAdapter;
  let service: LoginService;
  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await openService({ data });
  });
  afterAll(() => data.close?.());

  test("make at most two writes each on average, because successors and audit events share inserts", async () => {
    const presented: string[] = [];
    for (let i = 0; i < 32; i++) presented.push((await obtainTokens(service, service.spa, service.ada, offline)).refresh);
    const successors = new Set<string>();
    const refresh = async (token: string): Promise<void> => {
      successors.add(tokens(await service.exchange(refreshGrant(service.spa, token))).refresh);
    };
    const { statements } = await data.costOf(() => Promise.all(presented.map(refresh)));
    expect(successors.size).toBe(32);
    const writes = statements.filter((statement) => !/\.(find|count)$/.test(statement));
    expect(writes.length, writes.join(", ")).toBeLessThanOrEqual(2 * 32);
    expect(writes.filter((statement) => statement === "refresh_tokens.update")).toHaveLength(32);
  });
});
