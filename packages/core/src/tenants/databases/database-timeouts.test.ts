import { expect, test } from "vitest";
import { createManualClock } from "../../adapters/clock.ts";
import type { LogEntry } from "../../adapters/logger.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import type { CallOptions } from "../../store/contract.ts";
import { DatabaseTimeouts } from "./database-timeouts.ts";

const timeout = 8000;

function database(tenantId?: string) {
  const clock = createManualClock(0);
  const entries: LogEntry[] = [];
  const host = { clock, setTimer: clock.setTimer, logger: { log: (entry: LogEntry) => void entries.push(entry) } };
  const timeouts = new DatabaseTimeouts(host, tenantId);
  let sent = 0;
  /** Sends a call whose outcome the test determines with `respond` or `fail`. */
  const call = (collection?: string, milliseconds = timeout) => {
    let respond = (_: string): void => {};
    let fail = (_: unknown): void => {};
    let options: CallOptions | undefined;
    const state: { outcome?: unknown } = {};
    void timeouts
      .run(
        milliseconds,
        (given) => {
          sent++;
          options = given;
          return new Promise<string>((resolve, reject) => ([respond, fail] = [resolve, reject]));
        },
        collection,
      )
      .then(
        (value) => (state.outcome = value),
        (error: unknown) => (state.outcome = error),
      );
    return {
      respond: async (value = "late"): Promise<void> => {
        respond(value);
        await turns();
      },
      fail: async (error: unknown): Promise<void> => {
        fail(error);
        await turns();
      },
      outcome: () => state.outcome,
      signal: () => options?.signal,
    };
  };
  const advance = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await turns();
  };
  return { timeouts, clock, entries, call, advance, sent: () => sent, events: () => entries.map(({ event }) => event) };
}

const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};
const timedOut = expect.objectContaining({
  name: "UnavailableError",
  message: expect.stringMatching(/did not respond within|does not respond/),
});

test("rejects a database call and aborts its signal when its timeout expires, and not before", async () => {
  const { call, advance, events } = database();
  const slow = call();
  await advance(7999);
  expect(slow.outcome()).toBeUndefined();
  expect(slow.signal()?.aborted).toBe(false);
  await advance(1);
  expect(slow.outcome()).toEqual(timedOut);
  expect(slow.signal()?.aborted).toBe(true);
  expect(events()).toEqual(["database_not_responding"]);
});

test("gives an adapter an aborted signal if the adapter reads the signal only after the timeout", async () => {
  const { timeouts, advance } = database();
  let options: CallOptions | undefined;
  const failed = timeouts.run(timeout, (given) => ((options = given), new Promise<never>(() => {}))).catch(() => {});
  await advance(timeout);
  await failed;
  expect(options?.signal.aborted).toBe(true);
});

test("after a database call timed out, the next call has one second, and then all calls but one probe per second fail at once", async () => {
  const { call, advance, sent } = database();
  call();
  await advance(timeout);
  const second = call();
  await advance(999);
  expect(second.outcome()).toBeUndefined();
  await advance(1);
  expect(second.outcome()).toEqual(timedOut);

  const refused = [call(), call(), call()];
  await turns();
  expect(refused.map(({ outcome }) => outcome())).toEqual([timedOut, timedOut, timedOut]);
  expect(sent()).toBe(2);
  await advance(1000);
  const probes = [call(), call(), call()];
  await turns();
  expect(sent()).toBe(3);
  await advance(1000);
  expect(probes.map(({ outcome }) => outcome())).toEqual([timedOut, timedOut, timedOut]);
});

test("a database call that times out ends earlier calls with a longer timeout, unless the database responded since it began", async () => {
  const { call, advance } = database();
  const job = call("roles", 60_000);
  await advance(1);
  call();
  await advance(5000);
  await call().respond();
  await advance(3000);
  expect(job.outcome()).toBeUndefined();
  call();
  await advance(1);
  const later = call("roles", 60_000);
  await advance(timeout - 1);
  expect(job.outcome()).toEqual(timedOut);
  expect(job.signal()?.aborted).toBe(true);
  expect(later.outcome()).toBeUndefined();
  // The first call that has one second fails, and nothing has responded since `later` began.
  call();
  await advance(1000);
  expect(later.outcome()).toEqual(timedOut);
});

test.each(["the next call", "a late response"])("restores the full timeout of database calls after %s", async (by) => {
  const { call, advance, events } = database();
  const first = call();
  await advance(timeout);
  if (by === "the next call") await call().respond();
  else await first.respond();
  expect(first.outcome()).toEqual(timedOut);
  expect(events()).toEqual(["database_not_responding", "database_responding"]);
  const next = call();
  await advance(7999);
  expect(next.outcome()).toBeUndefined();
  await next.respond("answer");
  expect(next.outcome()).toBe("answer");
});

test("restores the full timeout of database calls when a probe succeeds after failed probes", async () => {
  const { call, advance } = database();
  call();
  await advance(timeout);
  call();
  await advance(1000);
  await advance(1000);
  const probe = call();
  await probe.respond("answer");
  expect(probe.outcome()).toBe("answer");
  const next = call();
  await advance(5000);
  expect(next.outcome()).toBeUndefined();
});

test("a database call that times out does not affect later calls if the database responded to another call during the timeout", async () => {
  const { call, advance, events } = database();
  const slow = call();
  await advance(4000);
  await call().respond();
  await advance(4000);
  expect(slow.outcome()).toEqual(timedOut);
  expect(events()).toEqual([]);
  const next = call();
  await advance(7999);
  expect(next.outcome()).toBeUndefined();
});

test("after a call on a locked table timed out, further calls on the table have one second, and calls on other tables have the full timeout", async () => {
  const { call, advance, events } = database();
  const locked = call("logs");
  await advance(4000);
  await call("users").respond();
  await advance(4000);
  expect(locked.outcome()).toEqual(timedOut);
  const [again, other] = [call("logs"), call("users")];
  await advance(1000);
  expect(again.outcome()).toEqual(timedOut);
  expect(other.outcome()).toBeUndefined();
  expect(events()).toEqual([]);

  await call("logs").respond();
  const free = call("logs");
  await advance(7999);
  expect(free.outcome()).toBeUndefined();
});

test("after parallel database calls timed out, the next call does not fail at once", async () => {
  const { call, advance } = database();
  const slow = [call(), call()];
  await advance(timeout);
  expect(slow.map(({ outcome }) => outcome())).toEqual([timedOut, timedOut]);
  const other = call();
  await other.respond("answer");
  expect(other.outcome()).toBe("answer");
});

test("the rejection of a cancelled statement does not count as a response from the database", async () => {
  const { call, advance, events } = database();
  const first = call();
  await advance(timeout);
  await first.fail(new Error("Connection terminated"));
  expect(events()).toEqual(["database_not_responding"]);
  const next = call();
  await advance(1000);
  expect(next.outcome()).toEqual(timedOut);
});

test("an error from the database counts as a response, and a timeout in the driver does not", async () => {
  const { call, advance, events } = database();
  const broken = call();
  await broken.fail(new Error("syntax error"));
  expect(broken.outcome()).toMatchObject({ message: "syntax error" });
  const refused = call();
  await refused.fail(new UnavailableError("connection refused"));
  expect(events()).toEqual([]);
  const own = call();
  await advance(5000);
  await own.fail(new UnavailableError("timeout exceeded when trying to connect"));
  expect(events()).toEqual(["database_not_responding"]);
});

test("opening a database has a timeout, and does not count as a response", async () => {
  const { timeouts, call, advance, events, sent } = database("acme");
  call();
  await advance(timeout);
  await timeouts.open(timeout, async () => "open");
  expect(events()).toEqual(["database_not_responding"]);
  call();
  await advance(1000);
  await expect(timeouts.open(timeout, async () => "open")).rejects.toEqual(timedOut);
  await advance(1000);
  await timeouts.open(timeout, async () => "open");
  // Opening has not used up the probe.
  const probe = call();
  await probe.respond("answer");
  expect(probe.outcome()).toBe("answer");
  expect(sent()).toBe(3);
});

test("a database call does not time out if its response reached the socket while the process was stalled", async () => {
  const { call, clock } = database();
  const slow = call();
  clock.advance(timeout);
  // Sockets are read after timers have fired, in the same turn.
  await slow.respond("answer");
  expect(slow.outcome()).toBe("answer");
});

test("database calls return a result even if the logger throws", async () => {
  const clock = createManualClock(0);
  const logger = {
    log: () => {
      throw new Error("disk full");
    },
  };
  const timeouts = new DatabaseTimeouts({ clock, setTimer: clock.setTimer, logger });
  const slow = timeouts.run(timeout, () => new Promise<never>(() => {})).catch((error: unknown) => error);
  clock.advance(timeout);
  expect(await slow).toEqual(timedOut);
  expect(await timeouts.run(timeout, async () => "answer")).toBe("answer");
});
