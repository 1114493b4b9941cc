import { createManualClock, type ManualClock } from "@postern/core/testing";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../support/api.ts";
import { obtainTokens, offline, openService, refreshGrant, tokens, type App, type LoginService } from "../support/flow.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";

/**
 * Two processes on one store with different clocks. Each test names the seconds by which the clock of the second
 * process is ahead of the first.
 */

const noon = Date.UTC(2026, 0, 1, 12);
const rotating = { rotation_type: "rotating", expiration_type: "expiring" } as const;
let first: LoginService;
let second: TestPostern;
let clocks: readonly ManualClock[];

async function open(skew: number): Promise<void> {
  const data = createMemoryAdapter({ strict: true });
  const [own, other] = [createManualClock(noon), createManualClock(noon + skew * 1000)];
  first = await openService({ data, testing: { clock: own } });
  second = await createTestPostern({ data, testing: { clock: other } });
  clocks = [own, other];
}

/** Advances the clocks of both processes. */
const pass = (duration: string): void => clocks.forEach((clock) => clock.advance(duration));
const begin = async (app: App = first.spa): Promise<string> => (await obtainTokens(first, app, first.ada, offline)).refresh;
const form = "application/x-www-form-urlencoded";
const use = (service: TestPostern, token: string, app: App = first.spa, headers = {}): Promise<ApiResponse> =>
  service.call("POST", "/oauth/token", {
    headers: { "content-type": form, ...headers },
    body: new URLSearchParams(refreshGrant(app, token)).toString(),
  });
const next = async (service: TestPostern, token: string, app: App = first.spa): Promise<string> =>
  tokens(await use(service, token, app)).refresh;
const expectDead = async (service: TestPostern, token: string, app: App = first.spa, headers = {}): Promise<void> => {
  expectError(await use(service, token, app, headers), 400, "invalid_grant");
};

describe.each([-60, -31, 0, 31, 60])("if the clock of the second process is %i seconds ahead of the first", (skew) => {
  beforeEach(() => open(skew));

  test.each(["0s", "1s", "30s"])("two tabs that refresh %s apart get the same successor, and both continue", async (apart) => {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const token = await begin();
      const successor = await next(one, token);
      pass(apart);
      expect(await next(other, token)).toBe(successor);
      pass("10m");
      const following = await next(other, successor);
      expect(await next(one, successor)).toBe(following);
      await next(one, following);
    }
  });

  test("16 parallel requests to both processes get one successor", async () => {
    const token = await begin();
    const responses = await Promise.all(Array.from({ length: 16 }, (_, i) => use(i % 2 === 0 ? first : second, token)));
    const successors = new Set(responses.map((response) => tokens(response).refresh));
    expect(successors.size).toBe(1);
    for (const successor of successors) await next(second, successor);
  });

  test("a replay at the process that rotated the token is accepted for 30 seconds by its own clock", async () => {
    const token = await begin();
    const successor = await next(second, token);
    await next(second, successor);
    pass("30s");
    await next(second, token);
    pass("1s");
    await expectDead(second, token);
    await expectDead(first, successor);
  });

  test("a replay at another process is accepted for at most 30 seconds after that process first saw the rotation", async () => {
    const token = await begin();
    const successor = await next(first, token);
    await next(second, token);
    await next(first, successor);
    pass("31s");
    await expectDead(second, token);
  });

  test("a replay 91 seconds later revokes the family of a used successor at either process", async () => {
    for (const service of [first, second]) {
      const token = await begin();
      const successor = await next(first, token);
      const following = await next(first, successor);
      pass("91s");
      await expectDead(service, token);
      await expectDead(first, following);
    }
  });
});

describe("two processes whose clocks may be equal", () => {
  beforeEach(() => open(0));

  test("return the same successor for a used refresh token that is sent late to both, whichever responds first", async () => {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const token = await begin();
      await next(first, token);
      pass("31s");
      const successor = await next(one, token);
      expect(await next(other, token)).toBe(successor);
      await next(first, successor);
    }
  });

  test("16 parallel late replays at both processes get one successor", async () => {
    const token = await begin();
    await next(first, token);
    pass("31s");
    const responses = await Promise.all(Array.from({ length: 16 }, (_, i) => use(i % 2 === 0 ? second : first, token)));
    const [successor = "", ...others] = new Set(responses.map((response) => tokens(response).refresh));
    expect(others).toEqual([]);
    await next(second, successor);
  });

  test("a successor that was sent again and lost again is replaced", async () => {
    const token = await begin();
    await next(first, token);
    pass("31s");
    const lost = await next(second, token);
    pass("2m");
    const replacement = await next(second, token);
    expect(replacement).not.toBe(lost);
    await next(first, replacement);
  });

  test("the leeway for clock skew does not apply after the successor was used", async () => {
    const token = await begin();
    const following = await next(first, await next(first, token));
    pass("31s");
    await expectDead(second, token);
    await expectDead(first, following);
  });

  test("the leeway for clock skew does not apply to another device of a client without recovery", async () => {
    const app = await first.register({ refresh_token: { ...rotating, recovery_window: 0 } });
    const token = await begin(app);
    const successor = await next(first, token, app);
    pass("31s");
    expect(await next(second, token, app)).toBe(successor);

    const replayed = await begin(app);
    const unused = await next(first, replayed, app);
    pass("31s");
    await expectDead(second, replayed, app, { "user-agent": "thief" });
    await expectDead(first, unused, app);
  });
});

test("a process whose clock is set back an hour accepts no replay of a used token", async () => {
  await open(0);
  const token = await begin();
  const following = await next(first, await next(first, token));
  pass("10m");
  first.clock.set(noon - 3_600_000);
  await expectDead(first, token);
  await expectDead(second, following);
});
