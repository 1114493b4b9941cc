import { expect, test } from "vitest";
import { testServiceContext } from "../../test/service-context.ts";
import { createAdmission, OverloadError, type Admission, type AdmissionLimits, type AdmittedRequest } from "./admission.ts";

/** Creates an admission whose waits expire when the test calls `expireWaits`. */
function admissionOf(limits: AdmissionLimits) {
  const timers: (() => void)[] = [];
  const { host } = testServiceContext();
  const logged: unknown[] = [];
  const admission = createAdmission(limits, {
    ...host,
    logger: { log: (entry) => logged.push(entry) },
    wait: (_, signal) =>
      new Promise((resolve) => {
        timers.push(resolve);
        signal?.addEventListener("abort", () => resolve());
      }),
  });
  return { admission, logged, expireWaits: () => timers.splice(0).forEach((end) => end()) };
}

/** Starts requests and returns those that are running so far. */
function startAll(admission: Admission, tenants: readonly (string | undefined)[]) {
  const running: AdmittedRequest[] = [];
  const results = tenants.map(async (tenantId) => {
    const request = await admission.enter();
    if (tenantId !== undefined) await request.assign(tenantId);
    running.push(request);
  });
  return { running, results };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test("starts as many requests as the limit allows, and a waiting request when another one ends", async () => {
  const { admission } = admissionOf({ inFlight: 2, waitMs: 1000 });
  const { running } = startAll(admission, [undefined, undefined, undefined]);
  await turn();
  expect(running).toHaveLength(2);
  running[0]?.leave();
  running[0]?.leave();
  await turn();
  expect(running).toHaveLength(3);
});

test("rejects a request that waited too long with 503 and Retry-After", async () => {
  const { admission, expireWaits, logged } = admissionOf({ inFlight: 1, waitMs: 1000 });
  const { results } = startAll(admission, [undefined, undefined, undefined]);
  await turn();
  expireWaits();
  const [first, ...others] = await Promise.allSettled(results);
  expect(first?.status).toBe("fulfilled");
  for (const other of others) {
    expect(other).toMatchObject({ reason: { code: "temporarily_unavailable", status: 503, headers: { "retry-after": "1" } } });
  }
  expect(logged).toEqual([{ level: "warn", event: "overload", rejected: 1, in_flight: 1, waiting: 1 }]);
});

test("rejects a request at once if `waitMs` is zero or too many requests are waiting", async () => {
  const { admission } = admissionOf({ inFlight: 1, waitMs: 0 });
  await admission.enter();
  await expect(admission.enter()).rejects.toBeInstanceOf(OverloadError);

  const { admission: queueing } = admissionOf({ inFlight: 1, waitMs: 1000 });
  startAll(
    queueing,
    Array.from({ length: 17 }, () => undefined),
  );
  await turn();
  await expect(queueing.enter()).rejects.toBeInstanceOf(OverloadError);
});

test("gives one tenant at most half of the slots, and the remaining slots to other tenants", async () => {
  const { admission } = admissionOf({ inFlight: 4, waitMs: 1000 });
  const busy = startAll(admission, ["busy", "busy", "busy", "busy", "busy"]);
  await turn();
  expect(busy.running).toHaveLength(2);
  const other = startAll(admission, ["other", "other", "third"]);
  await turn();
  expect(other.running).toHaveLength(2);
  busy.running[0]?.leave();
  await turn();
  expect(busy.running.length + other.running.length).toBe(5);
  // The slots that requests left while they waited for their tenant are free again.
  for (const request of [...busy.running, ...other.running]) request.leave();
  await turn();
  for (const request of [...busy.running, ...other.running]) request.leave();
  await turn();
  expect(busy.running).toHaveLength(5);
  expect(other.running).toHaveLength(3);
});

test("frees the slot of a request that waited too long for its tenant's share", async () => {
  const { admission, expireWaits } = admissionOf({ inFlight: 2, waitMs: 1000 });
  const first = await admission.enter();
  await first.assign("busy");
  const second = await admission.enter();
  const assigned = second.assign("busy");
  const rejected = expect(assigned).rejects.toBeInstanceOf(OverloadError);
  expireWaits();
  await rejected;
  second.leave();
  const third = await admission.enter();
  await third.assign("other");
  third.leave();
  first.leave();
  await (await admission.enter()).assign("busy");
});
