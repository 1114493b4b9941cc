import { expect, test } from "vitest";
import { createLogins } from "../../test/password-logins.ts";
import { limitMessages } from "./message-limits.ts";

test("alerts the operator once if a tenant requests a thousand messages within an hour, and blocks no message", async () => {
  const { tenant, audited, logged, clock } = await createLogins();
  const request = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      expect(await limitMessages(tenant, { channel: "email", address: `m${i}@m${i % 7}.example.test` })).toBeUndefined();
    }
  };
  await request(999);
  expect([audited, logged]).toEqual([[], []]);
  await request(500);
  expect(audited).toEqual([expect.objectContaining({ type: "w", description: "1000 messages were requested within an hour" })]);
  expect(logged).toEqual([expect.objectContaining({ event: "many_messages", tenant_id: "t1" })]);
  clock.advance("1h");
  await request(1000);
  expect(audited).toHaveLength(2);
});
