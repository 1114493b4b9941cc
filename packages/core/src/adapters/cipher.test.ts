import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.doUnmock("./builtin.ts");
  vi.resetModules();
});

/** The two ways: by the runtime's own module, and by Web Crypto alone. */
async function ways() {
  const native = { ...(await import("./cipher.ts")), ...(await import("./digest.ts")) };
  vi.resetModules();
  vi.doMock("./builtin.ts", () => ({ nodeCrypto: undefined }));
  return [native, { ...(await import("./cipher.ts")), ...(await import("./digest.ts")) }] as const;
}

test("both ways derive the same key, and each opens what the other encrypted", async () => {
  const [native, portable] = await ways();
  const key = await native.derivedKey("a secret", "what for");
  expect(await portable.derivedKey("a secret", "what for")).toEqual(key);
  expect(await native.derivedKey("a secret", "what else")).not.toEqual(key);
  for (const text of ["", "text", "ünïcödé 🦊"]) {
    expect(await portable.decryptText(key, await native.encryptText(key, text))).toBe(text);
    expect(await native.decryptText(key, await portable.encryptText(key, text))).toBe(text);
  }
});

test("another key, a changed byte and a cut end open nothing", async () => {
  for (const { derivedKey, encryptText, decryptText } of await ways()) {
    const key = await derivedKey("a secret", "what for");
    const other = await derivedKey("another", "what for");
    const encrypted = await encryptText(key, "text");
    const wrong: readonly (readonly [key: typeof key, encrypted: string])[] = [
      [other, encrypted],
      [key, (encrypted.startsWith("A") ? "B" : "A") + encrypted.slice(1)],
      [key, encrypted.slice(0, -4)],
      [key, ""],
    ];
    for (const [with_, what] of wrong) await expect((async () => decryptText(with_, what))()).rejects.toThrow();
  }
});
