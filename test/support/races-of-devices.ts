import type { DataAdapter } from "@postern/core/adapter";
import { expect, test } from "vitest";
import { poll, registerDevice, signInAndConnect, signInForDevice, startDevice } from "../devices/support.ts";
import { stringMember } from "./api.ts";
import { openBrowser } from "./browser.ts";
import { fakeHasher, openService, submitStep, tokens } from "./flow.ts";
import { createTestPostern } from "./postern.ts";

const many = Array.from({ length: 32 });

/** Adds the tests for parallel requests with the codes of a device, through two services on one store, for any store. */
export function testDeviceRaces(open: () => Promise<DataAdapter>): void {
  const openBoth = async () => {
    const data = await open();
    const service = await openService({ data });
    const second = await createTestPostern({ data, testing: { clock: service.clock }, crypto: { hasher: fakeHasher } });
    return { service, second };
  };

  test("issues tokens for one of 32 parallel polls of an approved device code, and stores one refresh token", async () => {
    const { service, second } = await openBoth();
    const tv = await registerDevice(service);
    const { deviceCode, userCode } = await startDevice(service, tv);
    await signInAndConnect(service.browser(), userCode, service.ada);
    const replies = await Promise.all(many.map((_, i) => poll(i % 2 === 0 ? service : second, tv, deviceCode)));
    const [winner, ...others] = replies.filter(({ status }) => status === 200);
    if (winner === undefined) throw new Error("no poll succeeded");
    tokens(winner);
    expect(others).toEqual([]);
    expect(await service.data.collections.refresh_tokens.count({ tenant_id: "main" })).toBe(1);
  });

  test("lets one of two users approve a device code, and each form that is sent twice reports one result", async () => {
    const { service, second } = await openBoth();
    const tv = await registerDevice(service);
    const { userCode } = await startDevice(service, tv);
    const visits = [];
    for (const account of [service.ada, service.bob]) {
      const browser = service.browser();
      visits.push({ browser, state: await signInForDevice(browser, userCode, account) });
    }
    const replies = await Promise.all(
      visits.flatMap(({ browser, state }) =>
        [service, second].map(({ postern }) => submitStep(openBrowser(postern, browser.cookies), state, { action: "connect-device" })),
      ),
    );
    const results = replies.map((reply) => new URL(stringMember(reply, "redirect_to")).searchParams.get("result"));
    expect(results.filter((result) => result === "approved").length).toBeGreaterThan(0);
    const decided = await service.data.collections.device_codes.find({ where: { tenant_id: "main" }, limit: 2 });
    expect(decided).toMatchObject([{ state: "approved" }]);
    // Each user has the session of the browser, and the winner the session of the device.
    expect(await service.data.collections.sessions.count({ tenant_id: "main" })).toBe(3);
  });
}
