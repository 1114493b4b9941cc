import { expect, test } from "vitest";
import { createManualClock } from "../../adapters/clock.ts";
import { createWait } from "../../adapters/wait.ts";
import { deliverRoundRobin, type DeliverySource } from "./round-robin.ts";

/** Lets all started turns run until they wait for a timer or for a test. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Sources with a number of items each, and the turns that they had: `a1` is the first batch of source `a`. */
function open() {
  const clock = createManualClock(0);
  const turns: string[] = [];
  const items = new Map<string, number>();
  let onBatch: (name: string) => Promise<void> = async () => {};
  const source = (name: string): DeliverySource => {
    let batches = 0;
    return {
      deliverBatch: async () => {
        turns.push(`${name}${++batches}`);
        await onBatch(name);
        const left = items.get(name) ?? 0;
        const delivered = Math.min(left, 10);
        items.set(name, left - delivered);
        return { delivered, failed: 0, due: left > delivered ? "now" : "none" };
      },
    };
  };
  let order: readonly string[] = [];
  async function* sources(): AsyncGenerator<DeliverySource> {
    for (const name of order) yield source(name);
  }
  return {
    clock,
    turns,
    items,
    setOnBatch: (next: typeof onBatch) => void (onBatch = next),
    deliver: (names: readonly string[], budget = 1_000_000) => {
      order = names;
      return deliverRoundRobin(sources(), { budget, elapsed: clock.monotonic ?? clock.now, wait: createWait(clock.setTimer) });
    },
  };
}

/** A promise that a test resolves. */
function gate() {
  let pass = (): void => {};
  const passed = new Promise<void>((resolve) => (pass = resolve));
  return { passed, pass: () => pass() };
}

test("gives each source a turn before any source gets a second one", async () => {
  const { turns, items, deliver } = open();
  for (const [name, count] of [
    ["a", 35],
    ["b", 1],
    ["c", 12],
    ["d", 0],
    ["e", 5],
    ["f", 1],
  ] as const)
    items.set(name, count);
  expect(await deliver(["a", "b", "c", "d", "e", "f"])).toEqual({ delivered: 54, failed: 0, finished: true });
  expect(turns).toEqual(["a1", "b1", "c1", "d1", "e1", "f1", "a2", "c2", "a3", "a4"]);
});

test("starts no turn after the budget is used, and reads no further sources", async () => {
  const { turns, items, deliver } = open();
  const names = Array.from({ length: 30 }, (_, i) => `s${i}.`);
  for (const name of names) items.set(name, 25);
  expect(await deliver(names, 100)).toMatchObject({ finished: false });
  // Turns that started before the budget was used are completed.
  expect(turns.length).toBeGreaterThanOrEqual(10);
  expect(turns.length).toBeLessThan(14);
  expect(turns).toEqual(names.slice(0, turns.length).map((name) => `${name}1`));
});

test("does not let slow sources delay others, even if there are more of them than places", async () => {
  const { clock, turns, items, setOnBatch, deliver } = open();
  const response = gate();
  setOnBatch((name) => (name.startsWith("slow") ? response.passed : Promise.resolve()));
  const slow = Array.from({ length: 12 }, (_, i) => `slow${i}.`);
  for (const name of [...slow, "fast"]) items.set(name, 25);
  const result = deliver([...slow, "fast"]);
  for (let seconds = 0; seconds < 3; seconds++) {
    await settle();
    clock.advance("1s");
  }
  await settle();
  expect(turns.filter((turn) => turn.startsWith("fast"))).toEqual(["fast1", "fast2", "fast3"]);
  response.pass();
  expect(await result).toMatchObject({ delivered: 13 * 25, finished: true });
});

test("limits the turns at the same time", async () => {
  const { clock, turns, setOnBatch, deliver } = open();
  const response = gate();
  setOnBatch(() => response.passed);
  const result = deliver(Array.from({ length: 300 }, (_, i) => `s${i}.`));
  await settle();
  expect(turns).toHaveLength(4);
  for (let seconds = 0; seconds < 60; seconds++) {
    clock.advance("1s");
    await settle();
  }
  expect(turns).toHaveLength(100);
  response.pass();
  await result;
  expect(turns).toHaveLength(300);
});

test("ends after five seconds of further turns, so that the next call reads new items", async () => {
  const { clock, turns, items, setOnBatch, deliver } = open();
  setOnBatch(async () => clock.advance("900ms"));
  items.set("a", 1000);
  items.set("b", 1);
  expect(await deliver(["a", "b"])).toMatchObject({ finished: false });
  expect(turns.slice(0, 2)).toEqual(["a1", "b1"]);
  expect(turns.length).toBeLessThan(8);
});

test("gives every source its first turn, however long that takes", async () => {
  const { clock, turns, setOnBatch, deliver } = open();
  setOnBatch(async () => clock.advance("900ms"));
  expect(await deliver(Array.from({ length: 40 }, (_, i) => `s${i}.`))).toMatchObject({ finished: true });
  expect(turns).toHaveLength(40);
});

test("rejects with the error of a source after the other sources were served", async () => {
  const { turns, items, setOnBatch, deliver } = open();
  setOnBatch(async (name) => {
    if (name === "broken") throw new Error("the row is not readable");
  });
  items.set("a", 25);
  items.set("z", 25);
  await expect(deliver(["a", "broken", "z"])).rejects.toThrow("the row is not readable");
  expect(turns.filter((turn) => turn.startsWith("z"))).toEqual(["z1", "z2", "z3"]);
});

test("rejects if the sources cannot be read, after the turns that have started", async () => {
  let completed = false;
  async function* sources(): AsyncGenerator<DeliverySource> {
    yield {
      deliverBatch: async () => {
        await settle();
        completed = true;
        return { delivered: 1, failed: 0, due: "none" };
      },
    };
    throw new Error("the database does not respond");
  }
  const wait = createWait(createManualClock(0).setTimer);
  await expect(deliverRoundRobin(sources(), { budget: 10, elapsed: () => 0, wait })).rejects.toThrow("does not respond");
  expect(completed).toBe(true);
});

test("is not finished if a source leaves items to the next call", async () => {
  const source: DeliverySource = { deliverBatch: async () => ({ delivered: 0, failed: 0, due: "next-call" }) };
  async function* sources(): AsyncGenerator<DeliverySource> {
    yield source;
  }
  const wait = createWait(createManualClock(0).setTimer);
  expect(await deliverRoundRobin(sources(), { budget: 10, elapsed: () => 0, wait })).toMatchObject({ finished: false });
});
