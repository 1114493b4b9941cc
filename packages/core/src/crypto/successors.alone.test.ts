import { afterEach, expect, test, vi } from "vitest";
import type { KeyRing } from "../adapters/key-ring.ts";

afterEach(() => {
  vi.doUnmock("../adapters/builtin.ts");
  vi.resetModules();
});

const one = { id: "1", secret: "a secret of at least 32 characters" };
const two = { id: "2", secret: "another secret, as long as the first" };
const presented = "the text of the token that was presented";

/** Returns both implementations: with the runtime's native crypto module, and with Web Crypto. */
async function implementations() {
  const native = { ...(await import("./successors.ts")), ...(await import("../adapters/digest.ts")) };
  vi.resetModules();
  vi.doMock("../../adapters/builtin.ts", () => ({ nodeCrypto: undefined }));
  return [native, { ...(await import("./successors.ts")), ...(await import("../adapters/digest.ts")) }] as const;
}

test("derives the same 48 bytes with the native crypto module and with Web Crypto", async () => {
  const texts = await Promise.all(
    (await implementations()).map(({ createSuccessors }) => createSuccessors([one]).textOf(presented, "rt_1")),
  );
  expect(texts[0]).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(texts[1]).toBe(texts[0]);
});

test("derives another text for another token, another row id or another key", async () => {
  const { createSuccessors } = await import("./successors.ts");
  const texts = await Promise.all([
    createSuccessors([one]).textOf(presented, "rt_1"),
    createSuccessors([one]).textOf(presented, "rt_2"),
    createSuccessors([one]).textOf(`${presented}.`, "rt_1"),
    createSuccessors([two]).textOf(presented, "rt_1"),
  ]);
  expect(new Set(texts).size).toBe(texts.length);
});

test("finds a text after a new first key was added, and returns undefined after its key was removed", async () => {
  for (const { createSuccessors, sha256 } of await implementations()) {
    const text = await createSuccessors([one]).textOf(presented, "rt_1");
    const find = async (ring: KeyRing, hash: string | Promise<string>) => createSuccessors(ring).find(presented, "rt_1", await hash);
    expect(await find([two, one], sha256(text))).toBe(text);
    expect(await find([two], sha256(text))).toBeUndefined();
    expect(await find([one], sha256("any other"))).toBeUndefined();
  }
});
