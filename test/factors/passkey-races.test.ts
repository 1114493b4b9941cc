import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "@postern/kysely/url";
import { stringMember } from "../support/api.ts";
import type { ApiResponse } from "../support/postern.ts";
import { decodeJwt } from "jose";
import { openPasskeyService, type PasskeyService } from "./passkey-api-support.ts";

/** Parallel requests of the passkey grant, on SQLite. */

let service: PasskeyService;
let close: () => Promise<void>;

beforeAll(async () => {
  const data = await openDatabase("sqlite::memory:");
  await data.migrate();
  service = await openPasskeyService({ data });
  close = () => service.postern.close();
});
afterAll(async () => {
  await close();
});

const many = Array.from({ length: 32 }, (_, i) => i);

const countOf = (collection: "users" | "sessions" | "factors"): Promise<number> =>
  service.data.collections[collection].count({ tenant_id: "main" });

/** Requires that one request received tokens. @returns the user. */
function expectOneWinner(responses: readonly ApiResponse[]): string {
  const won = responses.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  expect(responses.filter(({ status }) => status !== 200).every(({ status }) => [403, 503].includes(status))).toBe(true);
  const [winner] = won;
  return String(decodeJwt(stringMember({ ...(winner?.body as object) }, "id_token")).sub);
}

test("creates one account for thirty-two parallel uses of one auth_session", async () => {
  const before = await Promise.all([countOf("users"), countOf("sessions"), countOf("factors")]);
  const answer = await service.createPasskey("one@people.example");
  expectOneWinner(await Promise.all(many.map(() => service.exchange(answer))));
  const after = await Promise.all([countOf("users"), countOf("sessions"), countOf("factors")]);
  expect(after).toEqual(before.map((count) => count + 1));
});

test("creates one account for thirty-two auth_sessions with one email address", async () => {
  const before = await Promise.all([countOf("users"), countOf("sessions"), countOf("factors")]);
  const answers = await Promise.all(many.map(async () => service.createPasskey("shared@people.example")));
  expectOneWinner(await Promise.all(answers.map((answer) => service.exchange(answer))));
  const after = await Promise.all([countOf("users"), countOf("sessions"), countOf("factors")]);
  expect(after).toEqual(before.map((count) => count + 1));
});

test("signs in once for thirty-two parallel uses of one auth_session", async () => {
  const { id_token: signedUp } = await service.signUp("signs-in@people.example");
  const before = await countOf("sessions");
  const answer = await service.usePasskey();
  const user = expectOneWinner(await Promise.all(many.map(() => service.exchange(answer))));
  expect(user).toBe(decodeJwt(String(signedUp)).sub);
  expect(await countOf("sessions")).toBe(before + 1);
});

test("signs in for each of thirty-two auth_sessions of one passkey without a counter", async () => {
  await service.signUp("parallel@people.example", { counter: 0 });
  const answers = [];
  for (const _ of many) answers.push(await service.usePasskey({ counter: 0 }));
  const responses = await Promise.all(answers.map((answer) => service.exchange(answer)));
  expect(responses.map(({ status }) => status)).toEqual(many.map(() => 200));
});
