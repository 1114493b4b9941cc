import type { DataAdapter } from "@postern/core/adapter";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPasskeyService, passkeyApiOf, type PasskeyAnswer, type PasskeyService } from "../factors/passkey-api-support.ts";
import { stringMember } from "./api.ts";
import { fakeHasher } from "./flow.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "./postern.ts";

const many = Array.from({ length: 32 }, (_, i) => i);

/**
 * Adds tests of 32 parallel requests of the passkey grant, on one process and on two.
 * @param open opens two connections to one new database.
 */
export function testPasskeyRaces(open: () => Promise<readonly [DataAdapter, DataAdapter]>): void {
  let service: PasskeyService;
  let other: TestPostern;

  beforeAll(async () => {
    const [first, second] = await open();
    service = await openPasskeyService({ data: first });
    other = await createTestPostern({ data: second, crypto: { hasher: fakeHasher }, testing: { clock: service.clock } });
  });
  afterAll(async () => {
    await Promise.all([service.postern.close(), other.postern.close()]);
  });

  const countOf = (collection: "users" | "sessions" | "factors"): Promise<number> =>
    service.data.collections[collection].count({ tenant_id: "main" });

  describe.each([1, 2])("on %i process(es)", (count) => {
    /** Sends the `i`th request to one of the processes. */
    const exchange = (answer: PasskeyAnswer, i: number): Promise<ApiResponse> =>
      i % count === 0 ? service.exchange(answer) : passkeyApiOf(other, service.app, service.device).exchange(answer);

    test("creates one account for thirty-two parallel uses of one auth_session", async () => {
      const before = await Promise.all([countOf("users"), countOf("sessions"), countOf("factors")]);
      const answer = await service.createPasskey(`one-${count}@people.example`);
      expectOneWinner(await Promise.all(many.map((i) => exchange(answer, i))));
      const after = await Promise.all([countOf("users"), countOf("sessions"), countOf("factors")]);
      expect(after).toEqual(before.map((count) => count + 1));
    });

    test("creates one account for thirty-two auth_sessions with one email address", async () => {
      const before = await Promise.all([countOf("users"), countOf("sessions"), countOf("factors")]);
      const answers = await Promise.all(many.map(async () => service.createPasskey(`shared-${count}@people.example`)));
      expectOneWinner(await Promise.all(answers.map((answer, i) => exchange(answer, i))));
      const after = await Promise.all([countOf("users"), countOf("sessions"), countOf("factors")]);
      expect(after).toEqual(before.map((count) => count + 1));
    });

    test("signs in once for thirty-two parallel uses of one auth_session", async () => {
      const { id_token: signedUp } = await service.signUp(`signs-in-${count}@people.example`);
      const before = await countOf("sessions");
      const answer = await service.usePasskey();
      const user = expectOneWinner(await Promise.all(many.map((i) => exchange(answer, i))));
      expect(user).toBe(decodeJwt(String(signedUp)).sub);
      expect(await countOf("sessions")).toBe(before + 1);
    });

    test("signs in for each of thirty-two auth_sessions of one passkey without a counter", async () => {
      await service.signUp(`parallel-${count}@people.example`, { counter: 0 });
      const answers = [];
      for (const _ of many) answers.push(await service.usePasskey({ counter: 0 }));
      const responses = await Promise.all(answers.map((answer, i) => exchange(answer, i)));
      expect(responses.map(({ status }) => status)).toEqual(many.map(() => 200));
    });
  });
}

/** Requires that one request received tokens. @returns the user. */
function expectOneWinner(responses: readonly ApiResponse[]): string {
  const won = responses.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(responses.filter(({ status }) => status !== 200).every(({ status }) => [403, 503].includes(status))).toBe(true);
  const [winner] = won;
  return String(decodeJwt(stringMember({ ...(winner?.body as object) }, "id_token")).sub);
}
