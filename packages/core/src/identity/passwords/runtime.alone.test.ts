import { expect, test, vi } from "vitest";
import { UnavailableAlgorithmError, UnsupportedHashError } from "../../adapters/hasher.ts";
import { createPasswordHasher } from "./hasher.ts";

vi.mock("../../adapters/builtin.ts", () => ({ nodeCrypto: undefined }));

test("createPasswordHasher throws if the runtime does not support the algorithm", () => {
  expect(() => createPasswordHasher({ algorithm: "argon2id" })).toThrow(UnavailableAlgorithmError);
  expect(() => createPasswordHasher()).toThrow(/does not support scrypt/);
});

test("without node:crypto, PBKDF2 works, and a hash that requires node:crypto throws an error instead of being a wrong password", async () => {
  const hasher = createPasswordHasher({ algorithm: "pbkdf2" });
  expect(await hasher.verify("correct horse", await hasher.hash("correct horse"))).toBe("match");
  for (const stored of [
    "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    "$scrypt$ln=10,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$A9lBa6RTbfBovWqamVIqXKovIl4Vk6OZyVojLJmYmSI",
  ]) {
    expect(hasher.accepts(stored)).toBe(false);
    await expect(hasher.verify("password", stored)).rejects.toThrow(UnsupportedHashError);
  }
});
