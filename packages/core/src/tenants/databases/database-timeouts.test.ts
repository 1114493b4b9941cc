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
  /** Sends a call that responds when the test says so. */
  const call = (collection?: string) => {
    let respond = (_: string): void => {};
    let fail = (_: unknown): void => {};
    let options: CallOptions | undefined;
    const state: { outcome?: unknown } = {};
    void timeouts
      .run(
        timeout,
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

test("fails a call when its timeout expires, not before, and aborts its signal", async () => {
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

test("gives the adapter an aborted signal if it reads the signal only after the timeout", async () => {
  const { timeouts, advance } = database();
  let options: CallOptions | undefined;
  const failed = timeouts.run(timeout, (given) => ((options = given), new Promise<never>(() => {}))).catch(() => {});
  await advance(timeout);
  await failed;
  expect(options?.signal.aborted).toBe(true);
});

test("after a timeout, calls have one second, then fail at once but for one probe a second", async () => {
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

test.each(["the next call", "a late response"])("recovers with %s, and every call has its whole timeout again", async (by) => {
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

test("recovers after failed probes, within a second of the next response", async () => {
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

test("one slow call of a database that answers others fails alone", async () => {
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

test("after a call to a locked table timed out, further calls to it have one second, and calls to others the whole timeout", async () => {
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

test("parallel slow calls alone do not make other calls fail at once", async () => {
  const { call, advance } = database();
  const slow = [call(), call()];
  await advance(timeout);
  expect(slow.map(({ outcome }) => outcome())).toEqual([timedOut, timedOut]);
  const other = call();
  await other.respond("answer");
  expect(other.outcome()).toBe("answer");
});

test("a cancelled statement that rejects is no response of the database", async () => {
  const { call, advance, events } = database();
  const first = call();
  await advance(timeout);
  await first.fail(new Error("Connection terminated"));
  expect(events()).toEqual(["database_not_responding"]);
  const next = call();
  await advance(1000);
  expect(next.outcome()).toEqual(timedOut);
});

test("an error of the database is a response, and a timeout of the driver is not", async () => {
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

test("opening has a timeout, and opening does not count as a response", async () => {
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

test("a response that waits in its socket while the process was stalled is no timeout", async () => {
  const { call, clock } = database();
  const slow = call();
  clock.advance(timeout);
  // Sockets are read after timers have fired, in the same turn.
  await slow.respond("answer");
  expect(slow.outcome()).toBe("answer");
});

test("a logger that throws leaves no call without a result", async () => {
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
