import type { DataAdapter } from "@postern/core/adapter";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openMfaService, type MfaService } from "../factors/mfa-api-support.ts";
import { stringMember } from "./api.ts";
import { fakeHasher, type TestAccount } from "./flow.ts";
import { createTestPostern, type TestOptions, type TestPostern } from "./postern.ts";

/** A request for a code to a new number. */
interface RequestedCode {
  readonly account: TestAccount;
  readonly phone: string;
}

/** Limits that no request of these tests reaches. */
const high = {
  newNumbersPerUser: 100,
  newNumberMessagesPerUser: 1000,
  newNumberMessagesPerNumber: 1000,
  newNumberMessagesPerRange: 1000,
  newNumberMessagesPerTenant: 100_000,
};

/**
 * Adds tests of 32 parallel requests for codes to new phone numbers, on one process and on two: together they exceed no
 * limit.
 * @param open opens two connections to one new database.
 */
export function testNewNumberRaces(open: () => Promise<readonly [DataAdapter, DataAdapter]>): void {
  let connections: readonly [DataAdapter, DataAdapter];
  /** A service with every limit high. It creates the users and their tokens. */
  let service: MfaService;
  const opened: TestPostern[] = [];
  let serial = 0;

  beforeAll(async () => {
    connections = await open();
    service = await openMfaService({ data: connections[0], limits: high });
  });
  afterAll(async () => {
    for (const one of [...opened, service]) await one.postern.close();
  });

  /** Opens processes with other limits. They send the messages with the senders of the service. */
  async function openProcesses(count: number, limits: TestOptions["limits"]): Promise<readonly TestPostern[]> {
    const common = { crypto: { hasher: fakeHasher }, testing: { clock: service.clock }, limits: { ...high, ...limits } };
    const processes: TestPostern[] = [];
    for (const data of connections.slice(0, count))
      processes.push(await createTestPostern({ data, ...common, messages: { mail: service.outbox.mail, sms: service.outbox.sms } }));
    opened.push(...processes);
    return processes;
  }

  const addUsers = async (count: number): Promise<readonly TestAccount[]> => {
    const users: TestAccount[] = [];
    for (let i = 0; i < count; i++) users.push(await service.addUser(`caller-${serial++}@example.test`));
    return users;
  };
  const nextRange = (): string => `+49${1600 + serial++}`;
  const numbersIn = (range: string): string[] => Array.from({ length: 32 }, (_, i) => `${range}55501${String(i).padStart(2, "0")}`);

  /** Requests the codes at the same time. @returns the numbers to which a message was sent. */
  async function requestInParallel(processes: readonly TestPostern[], requests: readonly RequestedCode[]): Promise<readonly string[]> {
    const tokens: string[] = [];
    for (const { account } of requests) tokens.push(stringMember(await service.begin(account), "mfa_token"));
    service.outbox.sent.length = 0;
    const replies = await Promise.all(
      requests.map(async ({ phone }, i) =>
        processes[i % processes.length]?.call("POST", "/mfa/associate", {
          token: tokens[i] ?? "",
          body: { authenticator_types: ["oob"], oob_channels: ["sms"], phone_number: phone },
        }),
      ),
    );
    for (const reply of replies) expect([200, 429]).toContain(reply?.status);
    const sent = service.outbox.sent.map(({ to }) => to);
    expect(replies.filter((reply) => reply?.status === 200)).toHaveLength(sent.length);
    return sent;
  }

  describe.each([1, 2])("32 parallel requests for codes on %i process(es)", (count) => {
    test("send six messages of one user", async () => {
      const [account] = await addUsers(1);
      const [phone = ""] = numbersIn(nextRange());
      const processes = await openProcesses(count, { newNumberMessagesPerUser: 6 });
      const requests = Array.from({ length: 32 }, () => ({ account: account ?? service.ada, phone }));
      expect(await requestInParallel(processes, requests)).toHaveLength(6);
    });

    test("send messages of one user to three numbers", async () => {
      const [account] = await addUsers(1);
      const processes = await openProcesses(count, { newNumbersPerUser: 3 });
      const requests = numbersIn(nextRange()).map((phone) => ({ account: account ?? service.ada, phone }));
      expect(new Set(await requestInParallel(processes, requests)).size).toBe(3);
    });

    test("send five messages of all users to one number", async () => {
      const [phone = ""] = numbersIn(nextRange());
      const processes = await openProcesses(count, { newNumberMessagesPerNumber: 5 });
      const requests = (await addUsers(32)).map((account) => ({ account, phone }));
      expect(await requestInParallel(processes, requests)).toHaveLength(5);
    });

    test("send twenty messages of all users to one range", async () => {
      const phones = numbersIn(nextRange());
      const processes = await openProcesses(count, { newNumberMessagesPerRange: 20 });
      const requests = (await addUsers(32)).map((account, i) => ({ account, phone: phones[i] ?? "" }));
      expect(await requestInParallel(processes, requests)).toHaveLength(20);
    });

    test("send no more messages of one tenant than its limit", async () => {
      service.clock.advance("2h");
      const processes = await openProcesses(count, { newNumberMessagesPerTenant: 7 });
      const requests = (await addUsers(32)).map((account) => ({ account, phone: numbersIn(nextRange())[0] ?? "" }));
      expect(await requestInParallel(processes, requests)).toHaveLength(7);
      // The other tests count for the same tenant.
      service.clock.advance("2h");
    });
  });
}
