import { expect, test } from "vitest";
import { BusyError } from "../../adapters/hasher.ts";
import { createQueue } from "./queue.ts";

/** Jobs that end when they are told to. */
function jobs() {
  const started: number[] = [];
  const ends = new Map<number, (failed?: Error) => void>();
  const job = (id: number) => () => {
    started.push(id);
    return new Promise<number>((resolve, reject) => ends.set(id, (failed) => (failed ? reject(failed) : resolve(id))));
  };
  return { started, job, end: (id: number, failed?: Error) => ends.get(id)?.(failed) };
}
const soon = () => new Promise((resolve) => setTimeout(resolve));

test("no more than allowed run at once, the others in order", async () => {
  const { started, job, end } = jobs();
  const queue = createQueue(2, 10);
  const results = [1, 2, 3, 4].map((id) => queue.run("a", job(id)));
  await soon();
  expect(started).toEqual([1, 2]);
  end(2);
  await soon();
  expect(started).toEqual([1, 2, 3]);
  end(1);
  await soon();
  expect(started).toEqual([1, 2, 3, 4]);
  end(3);
  end(4);
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
});

test("a place that becomes free goes to the one who waits, not to one who comes then", async () => {
  const { started, job, end } = jobs();
  const queue = createQueue(1, 10);
  const first = queue.run("a", job(1));
  void queue.run("a", job(2));
  await soon();
  end(1);
  void first.then(() => queue.run("a", job(3)));
  await soon();
  expect(started).toEqual([1, 2]);
});

test("a full queue refuses, and takes again when somebody has left", async () => {
  const { started, job, end } = jobs();
  const queue = createQueue(1, 1);
  const first = queue.run("a", job(1));
  void queue.run("a", job(2));
  await expect(queue.run("a", job(3))).rejects.toBeInstanceOf(BusyError);
  await soon();
  end(1);
  await first;
  void queue.run("a", job(4));
  end(2);
  await soon();
  expect(started).toEqual([1, 2, 4]);
});

test("a job that fails gives its place back", async () => {
  const { started, job, end } = jobs();
  const queue = createQueue(1, 0);
  const first = queue.run("a", job(1));
  await soon();
  end(1, new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  void queue.run("a", job(2));
  await soon();
  expect(started).toEqual([1, 2]);
});

test("tenants take turns, however many of one are waiting", async () => {
  const { started, job, end } = jobs();
  const queue = createQueue(1, 10);
  void queue.run("crowd", job(1));
  for (const id of [2, 3, 4]) void queue.run("crowd", job(id));
  void queue.run("quiet", job(10));
  void queue.run("third", job(20));
  void queue.run("quiet", job(11));
  await soon();
  for (const id of [1, 2, 10, 20, 3, 11]) {
    end(id);
    await soon();
  }
  expect(started).toEqual([1, 2, 10, 20, 3, 11, 4]);
});

test("where all places are taken by one tenant, somebody of another one gets the place of its last", async () => {
  const { started, job, end } = jobs();
  const queue = createQueue(1, 3);
  const crowd = [1, 2, 3, 4].map((id) => queue.run("crowd", job(id)));
  const quiet = queue.run("quiet", job(10));
  await expect(crowd[3]).rejects.toBeInstanceOf(BusyError);
  await expect(queue.run("crowd", job(5))).rejects.toBeInstanceOf(BusyError);
  const other = queue.run("quiet", job(11));
  await expect(other).rejects.toBeInstanceOf(BusyError);
  for (const id of [1, 2, 10, 3]) {
    end(id);
    await soon();
  }
  expect(started).toEqual([1, 2, 10, 3]);
  await expect(quiet).resolves.toBe(10);
});
