import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { countingAdapter } from "../support/counting-adapter.ts";
import { sendAuthorization, successParameters, login, openService, randomString } from "../support/flow.ts";

test("/authorize with a session reads the requested API once, and looks up the spelling of a resource before that", async () => {
  const data = countingAdapter(createMemoryAdapter());
  // Without a settings cache, each resolution of the API is a query.
  const service = await openService({ data, limits: { settingsCacheBytes: 1 } });
  const audience = `https://${randomString()}.example.test/`;
  await service.manage.create("/api/v2/resource-servers", { identifier: audience, scopes: [{ value: "read" }] });
  const browser = service.browser();
  await login(browser, service.web, service.ada);
  for (const [parameters, reads] of [
    [{ audience }, 1],
    [{ resource: audience }, 2],
  ] as const) {
    const { statements } = await data.costOf(async () => {
      successParameters(await sendAuthorization(browser, service.web, { scope: "openid read", ...parameters }));
    });
    expect(statements.filter((statement) => statement.includes("resource_servers"))).toHaveLength(reads);
  }
});
