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
  const results = [1, 2, 3, 4].map((id) => queue.run(job(id)));
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
  const first = queue.run(job(1));
  void queue.run(job(2));
  await soon();
  end(1);
  void first.then(() => queue.run(job(3)));
  await soon();
  expect(started).toEqual([1, 2]);
});

test("a full queue refuses, and takes again when somebody has left", async () => {
  const { started, job, end } = jobs();
  const queue = createQueue(1, 1);
  const first = queue.run(job(1));
  void queue.run(job(2));
  await expect(queue.run(job(3))).rejects.toBeInstanceOf(BusyError);
  await soon();
  end(1);
  await first;
  void queue.run(job(4));
  end(2);
  await soon();
  expect(started).toEqual([1, 2, 4]);
});

test("a job that fails gives its place back", async () => {
  const { started, job, end } = jobs();
  const queue = createQueue(1, 0);
  const first = queue.run(job(1));
  await soon();
  end(1, new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  void queue.run(job(2));
  await soon();
  expect(started).toEqual([1, 2]);
});
