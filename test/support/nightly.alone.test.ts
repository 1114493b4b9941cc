import { afterAll, afterEach, describe, expect, test, vi } from "vitest";

/** Loads the module as a run with this value of `POSTERN_TEST_NIGHTLY` does. */
async function load(nightly: string | undefined): Promise<typeof import("./nightly.ts")> {
  vi.stubEnv("POSTERN_TEST_NIGHTLY", nightly);
  vi.resetModules();
  return import("./nightly.ts");
}

const { sampled } = await load(undefined);
const cases = Array.from({ length: 42 }, (_, index) => index);

/** Returns the cases of a run with this seed. */
function chosenWith(seed: string, name = "cases"): readonly number[] {
  vi.stubEnv("POSTERN_TEST_SEED", seed);
  return sampled(name, cases);
}

describe("a sample of 42 cases", () => {
  afterEach(() => void vi.unstubAllEnvs());

  test("contains the first case, the last one and one of each quarter of the others, in their order", () => {
    const found = new Set<number>();
    for (let seed = 0; seed < 400; seed++) {
      const chosen = chosenWith(String(seed));
      const quarters = chosen.slice(1, -1).map((index) => Math.floor((index - 1) / 10));
      expect([chosen[0], ...quarters, chosen.at(-1)]).toEqual([0, 0, 1, 2, 3, 41]);
      for (const each of chosen) found.add(each);
    }
    expect(found.size).toBe(42);
  });

  test("is the same for one seed and name, and differs for others", () => {
    const chosen = chosenWith("one");
    expect(chosenWith("one")).toEqual(chosen);
    expect(chosenWith("two")).not.toEqual(chosen);
    expect(chosenWith("one", "others")).not.toEqual(chosen);
  });

  test("is chosen by the commit unless a seed is set", () => {
    vi.stubEnv("POSTERN_TEST_SEED", undefined);
    const chosen = sampled("cases", cases);
    expect(chosen).toHaveLength(6);
    expect(sampled("cases", cases)).toEqual(chosen);
  });

  test("contains all cases in the nightly run", async () => {
    expect((await load("1")).sampled("cases", cases)).toEqual(cases);
  });

  test("has one case of each part if the number of parts is set", () => {
    vi.stubEnv("POSTERN_TEST_SEED", "one");
    expect(sampled("cases", cases, 2).map((index) => Math.floor((index - 1) / 20))).toEqual([-1, 0, 1, 2]);
  });
});

test("a sample of six cases contains all of them", () => {
  expect(sampled("few", cases.slice(0, 6))).toEqual(cases.slice(0, 6));
});

describe("a failure prints the variable that repeats the choice", () => {
  vi.stubEnv("POSTERN_TEST_SEED", "printed");
  sampled("declared", cases);
  vi.unstubAllEnvs();
  const printed: (string | undefined)[] = [];
  const print = vi.spyOn(console, "error").mockImplementation((text) => {
    printed.push(/POSTERN_TEST_SEED=(\w+)/.exec(String(text))?.[1]);
  });
  afterAll(() => {
    print.mockRestore();
  });

  test("(a successful test)", () => {});

  test.fails("(a failed test that uses declared cases)", () => {
    expect(printed).not.toEqual([]);
  });

  test.fails("(a failed test that chooses cases)", () => {
    const chosen = chosenWith("chosen");
    vi.unstubAllEnvs();
    expect(chosen).toEqual([]);
  });

  test("once for each choice", () => {
    expect(printed.toSorted((a = "", b = "") => a.localeCompare(b))).toEqual(["chosen", "printed", "printed"]);
  });
});
