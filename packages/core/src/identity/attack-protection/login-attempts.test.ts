import { beforeEach, expect, test } from "vitest";
import { withHost } from "../../../test/service-context.ts";
import { createRandomValues, systemRandom, type Random } from "../../adapters/random.ts";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { accountSubject, clearFailures, reserveAttempt, type AttemptRejection, type ReservedAttempt } from "./login-attempts.ts";

const subject = "subject";
let logins: Logins;

beforeEach(async () => {
  logins = await createLogins();
});

/** Reserves an attempt without real delays, so that a test can reach the timeout of the wait. */
async function reserve(form?: string): Promise<ReservedAttempt | AttemptRejection> {
  const { tenant, waited } = logins;
  return reserveAttempt(withHost(tenant, { wait: async (milliseconds) => void waited.push(milliseconds) }), subject, 3, form);
}

function held(reserved: ReservedAttempt | AttemptRejection): ReservedAttempt {
  if (typeof reserved === "string") throw new Error(`not reserved: ${reserved}`);
  return reserved;
}

async function reserved(form?: string): Promise<ReservedAttempt> {
  return held(await reserve(form));
}

const rows = () => logins.data.login_attempts.find({ where: { subject_hash: subject }, limit: 2 });

test("an attempt waits at most two seconds for other, undecided attempts", async () => {
  for (let i = 0; i < 3; i++) await reserved();
  expect(await reserve()).toBe("throttled");
  expect(logins.waited.reduce((sum, milliseconds) => sum + milliseconds, 0)).toBeGreaterThanOrEqual(2000);
  expect(logins.waited.reduce((sum, milliseconds) => sum + milliseconds, 0)).toBeLessThan(2200);
});

test("an attempt that is throttled by failures does not wait for undecided attempts", async () => {
  const held = [await reserved(), await reserved(), await reserved()];
  for (const one of held) await one.fail();
  expect(await reserve()).toBe("throttled");
  expect(logins.waited).toEqual([]);
});

test("attempts that a crashed process reserved expire after ten seconds and do not count as failures", async () => {
  for (let i = 0; i < 3; i++) await reserved();
  logins.clock.advance(9999);
  expect(await reserve()).toBe("throttled");
  logins.clock.advance(1);
  for (let i = 0; i < 3; i++) await (await reserved()).giveBack();
  expect(await rows()).toEqual([]);
});

test("a failure that is reported after its reservation expired still counts", async () => {
  const late = [await reserved(), await reserved(), await reserved()];
  logins.clock.advance("11s");
  const engaged = [];
  for (const one of late) engaged.push(await one.fail());
  expect(engaged).toEqual([false, false, true]);
  expect(await reserve()).toBe("throttled");
});

test("a successful login clears the failures of an account but not its undecided attempts", async () => {
  await (await reserved()).fail();
  const [winner, other] = [await reserved(), await reserved()];
  await winner.clear();
  const [row] = await rows();
  expect(row?.attempts).toMatchObject({ failures: [] });
  expect(Object.keys(Object(row?.attempts["reserved"]))).toHaveLength(1);
  await other.fail();
  expect((await rows())[0]?.attempts).toMatchObject({ failures: [logins.clock.now()], reserved: {} });
});

test("a failure that is reported after the row was deleted creates a new row", async () => {
  const { user_id: userId } = await logins.addUser();
  const late = held(await reserveAttempt(logins.tenant, await accountSubject(userId), 3));
  await clearFailures(logins.data, userId);
  await late.fail();
  const [row] = await logins.data.login_attempts.find({ where: { subject_hash: await accountSubject(userId) }, limit: 1 });
  expect(row?.attempts).toEqual({ failures: [logins.clock.now()], reserved: {}, forms: {} });
});

test("an attempt does not change a new row that replaced the row of its reservation", async () => {
  const first = await reserved();
  await logins.data.login_attempts.delete({ subject_hash: subject });
  const second = await reserved();
  await first.giveBack();
  expect(await rows()).toHaveLength(1);
  await second.fail();
  await first.clear();
  expect(await rows()).toEqual([]);
});

test("stores at most the maximum number of failures, and the row expires when the last failure does", async () => {
  for (let i = 0; i < 7; i++) {
    await (await reserved()).fail();
    logins.clock.advance("3m");
  }
  const [row] = await rows();
  expect(row?.attempts["failures"]).toHaveLength(2);
  expect(row?.expires_at).toBe(logins.clock.now() + 2 * 60_000);
});

test("without sweep, failures with many identifiers leave only the rows of the last five minutes and a few hundred more", async () => {
  let calls = 0;
  const random: Random = { bytes: (length) => (length === 1 ? Uint8Array.of(++calls * 7) : systemRandom.bytes(length)) };
  const tenant = { ...logins.tenant, random: createRandomValues(logins.clock, random) };
  const most = [];
  for (let i = 0; i < 3000; i++) {
    await held(await reserveAttempt(tenant, `name ${i}`, 3)).fail();
    logins.clock.advance("1s");
    if (i % 100 === 0) most.push(await logins.data.login_attempts.count({}));
  }
  expect(Math.max(...most)).toBeLessThanOrEqual(300 + 256);
});

test("the cleanup after a failure deletes no row whose failures still count", async () => {
  const random: Random = { bytes: (length) => (length === 1 ? Uint8Array.of(0) : systemRandom.bytes(length)) };
  for (let i = 0; i < 3; i++) await (await reserved()).fail();
  logins.clock.advance("4m");
  const tenant = { ...logins.tenant, random: createRandomValues(logins.clock, random) };
  await held(await reserveAttempt(tenant, "other", 3)).fail();
  expect(await logins.data.login_attempts.count({})).toBe(2);
  expect(await reserve()).toBe("throttled");
});

test("a clock that is set back does not extend throttling", async () => {
  for (let i = 0; i < 3; i++) await (await reserved()).fail();
  logins.clock.advance(-3_600_000);
  await (await reserved()).giveBack();
});

test("of 32 parallel attempts, at most three hold a reservation at a time, and all are admitted in the end", async () => {
  let [open, most, done] = [0, 0, 0];
  const one = async (): Promise<void> => {
    const one = await reserveAttempt(logins.tenant, subject, 3);
    if (typeof one === "string") return;
    most = Math.max(most, ++open);
    await logins.wait(1);
    open--;
    done++;
    await one.giveBack();
  };
  for (let i = 0; i < 3; i++) await Promise.all(Array.from({ length: 32 }, one));
  expect(most).toBe(3);
  expect(done).toBe(96);
  expect(await rows()).toEqual([]);
});

test("an attempt that loses races to other attempts tries again within milliseconds each time", async () => {
  await reserved();
  const { tenant, waited } = logins;
  let lost = 0;
  const { login_attempts: rows } = tenant.data;
  const login_attempts = { ...rows, update: async (...given: Parameters<typeof rows.update>) => (lost++ < 10 ? 0 : rows.update(...given)) };
  const context = { ...withHost(tenant, { wait: async (milliseconds: number) => void waited.push(milliseconds) }) };
  held(await reserveAttempt({ ...context, data: { ...tenant.data, login_attempts } }, subject, 3));
  expect(waited).toHaveLength(10);
  expect(Math.max(...waited)).toBeLessThanOrEqual(8);
});

test("the longer an attempt waits for undecided attempts, the more often it reads, so that later ones do not overtake it", async () => {
  for (let i = 0; i < 3; i++) await reserved();
  await reserve();
  expect(logins.waited[0]).toBe(40);
  expect(logins.waited.at(-1)).toBe(10);
  expect(logins.waited).toEqual(logins.waited.toSorted((a, b) => b - a));
});

test("throws a conflict error if parallel changes prevent a failure from being counted", async () => {
  const mine = await reserved();
  const { tenant } = logins;
  const login_attempts = { ...tenant.data.login_attempts, update: async () => 0, delete: async () => 0 };
  const stuck = held(await reserveAttempt({ ...tenant, data: { ...tenant.data, login_attempts } }, "other", 3));
  await expect(stuck.fail()).rejects.toMatchObject({ code: "conflict" });
  await stuck.clear();
  await mine.giveBack();
});

test("a form that is submitted twice counts once: the second submission waits for the result of the first one", async () => {
  const first = await reserved("form-1");
  const second = reserveAttempt(withHost(logins.tenant, { wait: async () => void (await first.fail()) }), subject, 3, "form-1");
  expect(await second).toBe("repeated");
  expect(await reserve("form-1")).toBe("repeated");
  expect((await rows())[0]?.attempts["failures"]).toHaveLength(1);
  await (await reserved("form-2")).fail();
  await (await reserved("form-3")).fail();
  // The result of the form is returned, although other attempts have throttled the account since.
  expect(await reserve("form-3")).toBe("repeated");
  expect(await reserve("form-4")).toBe("throttled");
});

test("a form is checked again if its first submission succeeded or was not checked", async () => {
  await (await reserved("form-1")).clear();
  await (await reserved("form-1")).giveBack();
  await (await reserved("form-1")).fail();
  await (await reserved("form-2")).clear();
  expect(await rows()).toEqual([]);
  await reserved("form-1");
});

test("a form is checked again after two seconds if the process of its first submission crashed, and counts once", async () => {
  const first = await reserved("form-1");
  const second = await reserved("form-1");
  expect(logins.waited.reduce((sum, milliseconds) => sum + milliseconds, 0)).toBeGreaterThanOrEqual(2000);
  await second.fail();
  await first.fail();
  expect((await rows())[0]?.attempts["failures"]).toHaveLength(1);
});
