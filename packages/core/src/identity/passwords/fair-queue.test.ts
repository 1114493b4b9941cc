import { expect, test } from "vitest";
import { BusyError } from "../../adapters/hasher.ts";
import { createFairQueue } from "./fair-queue.ts";

/** Creates jobs that end when the test says so. */
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

test("runs at most `concurrency` jobs at once, and starts the waiting jobs in the order of their arrival", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(2, 10, "busy");
  const results = [1, 2, 3, 4].map((id) => queue.run("a", 1, job(id)));
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

test("a slot that becomes free goes to a waiting job and not to a new one", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(1, 10, "busy");
  const first = queue.run("a", 1, job(1));
  void queue.run("a", 1, job(2));
  await soon();
  end(1);
  void first.then(() => queue.run("a", 1, job(3)));
  await soon();
  expect(started).toEqual([1, 2]);
});

test("a full queue rejects new jobs until a running job has ended", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(1, 1, "busy");
  const first = queue.run("a", 1, job(1));
  void queue.run("a", 1, job(2));
  await expect(queue.run("a", 1, job(3))).rejects.toBeInstanceOf(BusyError);
  await soon();
  end(1);
  await first;
  void queue.run("a", 1, job(4));
  end(2);
  await soon();
  expect(started).toEqual([1, 2, 4]);
});

test("a failed job releases its slot", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(1, 0, "busy");
  const first = queue.run("a", 1, job(1));
  await soon();
  end(1, new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  void queue.run("a", 1, job(2));
  await soon();
  expect(started).toEqual([1, 2]);
});

test("tenants take turns, even if one has many waiting jobs", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(1, 10, "busy");
  void queue.run("crowd", 1, job(1));
  for (const id of [2, 3, 4]) void queue.run("crowd", 1, job(id));
  void queue.run("quiet", 1, job(10));
  void queue.run("third", 1, job(20));
  void queue.run("quiet", 1, job(11));
  await soon();
  for (const id of [1, 10, 20, 2, 11, 3]) {
    end(id);
    await soon();
  }
  expect(started).toEqual([1, 10, 20, 2, 11, 3, 4]);
});

test("if one tenant fills the queue, a new job from another tenant replaces the last job that the first tenant added", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(1, 3, "busy");
  const crowd = [1, 2, 3, 4].map((id) => queue.run("crowd", 1, job(id)));
  const quiet = queue.run("quiet", 1, job(10));
  await expect(crowd[3]).rejects.toBeInstanceOf(BusyError);
  await expect(queue.run("crowd", 1, job(5))).rejects.toBeInstanceOf(BusyError);
  const other = queue.run("quiet", 1, job(11));
  await expect(other).rejects.toBeInstanceOf(BusyError);
  for (const id of [1, 10, 2, 3]) {
    end(id);
    await soon();
  }
  expect(started).toEqual([1, 10, 2, 3]);
  await expect(quiet).resolves.toBe(10);
});

test("a tenant's cheap job waits only for the running jobs, even if another tenant has much expensive work waiting", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(2, 100, "busy");
  for (let id = 0; id < 50; id++) void queue.run("hostile", 1000, job(id));
  await soon();
  for (const id of [100, 101, 102]) void queue.run("healthy", 10, job(id));
  expect(started).toEqual([0, 1]);
  // One slot is enough for all of these jobs: together they cost less than a second job from the other tenant.
  for (const id of [0, 100, 101, 102]) {
    end(id);
    await soon();
  }
  expect(started).toEqual([0, 1, 100, 101, 102, 2]);
});

test("a tenant that adds expensive jobs continuously waits until tenants that have used less have had their turn", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(1, 100, "busy");
  void queue.run("hostile", 1000, job(0));
  for (const id of [100, 101, 102]) void queue.run("healthy", 10, job(id));
  await soon();
  end(0);
  await soon();
  void queue.run("hostile", 1000, job(1));
  for (const id of [100, 101, 102]) {
    end(id);
    await soon();
  }
  expect(started).toEqual([0, 100, 101, 102, 1]);
});

test("a tenant whose lane was idle gets no credit for the idle time", async () => {
  const { started, job, end } = jobs();
  const queue = createFairQueue(1, 100, "busy");
  for (const id of [0, 1, 2, 3]) void queue.run("steady", 10, job(id));
  await soon();
  for (const id of [0, 1]) {
    end(id);
    await soon();
  }
  for (const id of [100, 101, 102]) void queue.run("late", 10, job(id));
  for (const id of [2, 100, 3, 101]) {
    end(id);
    await soon();
  }
  expect(started).toEqual([0, 1, 2, 100, 3, 101, 102]);
});

test("a full queue rejects the last job from the tenant with the most waiting work, not from the tenant with the most waiting jobs", async () => {
  const { job } = jobs();
  const queue = createFairQueue(1, 4, "busy");
  void queue.run("other", 1, job(0));
  const hostile = [1, 2].map((id) => queue.run("hostile", 1000, job(id)));
  const healthy = [10, 11, 12].map((id) => queue.run("healthy", 10, job(id)));
  await expect(hostile[1]).rejects.toBeInstanceOf(BusyError);
  expect(await Promise.race([...healthy, soon()])).toBeUndefined();
});
