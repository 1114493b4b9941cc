import { expect, test } from "vitest";
import { openService, sendAuthorization } from "../support/flow.ts";
import { recordTelemetry } from "../support/telemetry.ts";

test("a setting that several requests wait for is read in a separate trace, which links to each of them", async () => {
  const { telemetry, spans, treeOf } = recordTelemetry();
  const service = await openService({ telemetry });
  service.clock.advance("6s");
  spans.length = 0;
  const browsers = [1, 2, 3].map(() => service.browser());
  await Promise.all(browsers.map((browser) => sendAuthorization(browser, service.web)));

  const requests = spans.filter(({ name }) => name === "postern GET /authorize");
  expect(requests.map(treeOf)).toEqual(requests.map(() => ({ "postern GET /authorize": ["insert login_sessions"] })));
  const loads = spans.filter(({ name }) => name === "load clients");
  expect(loads.map(treeOf)).toEqual([{ "load clients": ["find clients"] }]);
  expect(loads).toMatchObject([{ parent: undefined, hasEnded: true }]);
  expect(new Set(loads[0]?.links)).toEqual(new Set(requests.map(({ context }) => context)));
  expect(new Set([...loads, ...requests].map(({ context }) => context.traceId)).size).toBe(4);
});

test("a request that finds a cached setting is not linked to its read", async () => {
  const { telemetry, spans } = recordTelemetry();
  const service = await openService({ telemetry });
  service.clock.advance("6s");
  spans.length = 0;
  for (const browser of [service.browser(), service.browser()]) await sendAuthorization(browser, service.web);

  const [first] = spans.filter(({ name }) => name === "postern GET /authorize");
  expect(spans.filter(({ name }) => name === "load clients")).toMatchObject([{ links: [first?.context] }]);
});
