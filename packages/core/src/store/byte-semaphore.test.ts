import { expect, test } from "vitest";
import { ByteSemaphore } from "./byte-semaphore.ts";

/** Returns a function that starts work. The work ends when the test calls `end`. */
function harness(capacity: number) {
  const semaphore = new ByteSemaphore(capacity);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (tenant: string, name: string, bytes: number): Promise<void> =>
    semaphore.run(tenant, bytes, () => {
      started.push(name);
      return new Promise((end) => ends.set(name, end));
    });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await turn();
  };
  return { started, start, end, turn };
}

test("never holds more bytes than its capacity, and runs work that needs more alone", async () => {
  const { started, start, end, turn } = harness(100);
  const all = [start("a", "1", 60), start("a", "2", 40), start("a", "3", 1000), start("a", "4", 10)];
  await turn();
  expect(started).toEqual(["1", "2"]);
  await end("1");
  expect(started).toEqual(["1", "2"]);
  await end("2");
  expect(started).toEqual(["1", "2", "3"]);
  await end("3");
  expect(started).toEqual(["1", "2", "3", "4"]);
  await end("4");
  await Promise.all(all);
});

test("serves tenants in turn", async () => {
  const { started, start, end, turn } = harness(1);
  const all = [start("a", "a1", 1), start("a", "a2", 1), start("a", "a3", 1), start("b", "b1", 1)];
  await turn();
  for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
  await Promise.all(all);
  expect(started).toEqual(["a1", "a2", "b1", "a3"]);
});
