import { expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { sendAuthorization, login, openService } from "../support/flow.ts";

test.each([
  ["persistent", "3h", "2h"],
  ["non-persistent", "40m", "20m"],
])("sessions with a %s cookie expire after %s, or after %s of idle time", async (mode, absolute, idle) => {
  const service = await openService();
  const settings = {
    session_cookie: { mode },
    session_lifetime_in_minutes: 180,
    idle_session_lifetime_in_minutes: 120,
    ephemeral_session_lifetime_in_minutes: 40,
    idle_ephemeral_session_lifetime_in_minutes: 20,
  };
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", settings));
  const isSignedIn = async (browser = service.browser()): Promise<boolean> => {
    const result = await sendAuthorization(browser, service.web, { prompt: "none" });
    return result.kind === "response" && "code" in result.parameters;
  };
  const [used, unused] = [service.browser(), service.browser()];
  for (const browser of [used, unused]) await login(browser, service.web, service.ada);
  const half = idle === "2h" ? "70m" : "15m";
  service.clock.advance(half);
  expect(await isSignedIn(used)).toBe(true);
  service.clock.advance(half);
  expect([await isSignedIn(used), await isSignedIn(unused)]).toEqual([true, false]);
  service.clock.advance(absolute === "3h" ? "41m" : "11m");
  expect(await isSignedIn(used)).toBe(false);
});
