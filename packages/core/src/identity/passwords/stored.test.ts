import { describe, expect, test } from "vitest";
import { UnsupportedHashError } from "../../adapters/hasher.ts";
import { canDerive } from "./derive.ts";
import { createPasswordHasher } from "./hasher.ts";
import { parseStored } from "./stored.ts";

const hasher = createPasswordHasher({ algorithm: "pbkdf2" });

/**
 * Hashes from other systems, computed with Python's hashlib. The Argon2 hashes come from the tests of the reference
 * implementation, and the Firebase hashes are published examples.
 */
const foreign: [string, string, string][] = [
  ["argon2id", "password", "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"],
  ["argon2i", "password", "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8"],
  ["scrypt", "correct horse", "$scrypt$ln=10,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$A9lBa6RTbfBovWqamVIqXKovIl4Vk6OZyVojLJmYmSI"],
  [
    "scrypt of Werkzeug",
    "correct horse",
    "scrypt:1024:8:1$somesalt$3404c3e5aeb73d4516a1331228a25e597e1dadedf187bfc1f260f0bebc46e44ac16b63f9c97dd3ae4aa9cb77a3d74be0496e6ecd3501813c77fba4df678e7447",
  ],
  [
    "PBKDF2 with SHA-512",
    "correct horse",
    "$pbkdf2-sha512$i=1000,l=64$c2FsdHNhbHRzYWx0c2FsdA$EHLBej+uEvxlmr0QnHnceg1vM6h1wbwSP5XErh3SmizNDWZsIi28RPGARe0EssjGRoiACzxgHjNvqwJY1zxKig",
  ],
  ["PBKDF2 of passlib", "correct horse", "$pbkdf2-sha256$1000$c2FsdHNhbHRzYWx0c2FsdA$BBs.1.PaslLtBPULUr8/lQicvVuHiEPMz0i8MjLCbzM"],
  ["PBKDF2 of passlib with SHA-1", "correct horse", "$pbkdf2$1000$c2FsdHNhbHRzYWx0c2FsdA$EUcKisx.yviAqdTmlEPmy.5ykUU"],
  ["PBKDF2 of Django", "correct horse", "pbkdf2_sha256$1000$somesalt$3UXLHR2dsBArfqHwukhrdUO9gJfc1BvmMq0GPd9sP6E="],
  ["PBKDF2 of Werkzeug", "correct horse", "pbkdf2:sha256:1000$somesalt$dd45cb1d1d9db0102b7ea1f0ba486b7543bd8097dcd41be632ad063ddf6c3fa1"],
  [
    "scrypt of Firebase",
    "user1password",
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
  ],
];

describe("a hash from another system matches its password and requests a rehash", () => {
  test.for(foreign)("%s", async ([name, password, stored], { skip }) => {
    skip(name.startsWith("argon2") && !canDerive("argon2"), "this runtime has no Argon2");
    expect(await hasher.verify(password, stored)).toBe("match-rehash");
    expect(await hasher.verify(`${password} `, stored)).toBe("no-match");
  });
});

describe("an invalid hash is rejected", () => {
  const [salt, key] = ["c2FsdHNhbHRzYWx0c2FsdA", "A9lBa6RTbfBovWqamVIqXKovIl4Vk6OZyVojLJmYmSI"];
  test.each([
    ["Argon2 without a version, which means version 1.0", `$argon2id$m=19456,t=2,p=1$${salt}$${key}`],
    ["Argon2 version 1.0", `$argon2id$v=16$m=19456,t=2,p=1$${salt}$${key}`],
    ["a parameter twice", `$argon2id$v=19$m=19456,m=19456,t=2,p=1$${salt}$${key}`],
    ["an unknown parameter", `$argon2id$v=19$m=19456,t=2,p=1,keyid=x$${salt}$${key}`],
    ["a missing parameter", `$argon2id$v=19$m=19456,t=2$${salt}$${key}`],
    ["a leading zero", `$argon2id$v=19$m=019456,t=2,p=1$${salt}$${key}`],
    ["a hash that is not base64", `$scrypt$ln=10,r=8,p=1$${salt}$A9lB*`],
    ["base64 with stray bits", `$scrypt$ln=10,r=8,p=1$${salt}$A9lBa6RTbfBovWqamVIqXKovIl4Vk6OZyVojLJmYmSJ`],
    ["a key whose length differs from the parameter `l`", `$pbkdf2-sha256$i=1000,l=64$${salt}$${key}`],
    ["a digest with the name of a member that every object has", `$pbkdf2-constructor$i=1000$${salt}$${key}`],
    ["a key that is too short", `$scrypt$ln=10,r=8,p=1$${salt}$c2FsdA`],
    ["an empty key", `pbkdf2:sha256:1000$somesalt$`],
    ["bcrypt with a cost that is too low", `$2b$03$${"a".repeat(53)}`],
    ["bcrypt with the prefix $2x$, which a bug produced", `$2x$10$${"a".repeat(53)}`],
    ["truncated bcrypt", `$2b$10$${"a".repeat(52)}`],
    ["text that is longer than the maximum length of a hash", `${"a".repeat(2000)}`],
  ])("%s", (_, stored) => expect(() => parseStored(stored)).toThrow(UnsupportedHashError));
});

describe("a hash that exceeds the maximum cost is rejected", () => {
  const [salt, key] = ["c2FsdHNhbHRzYWx0c2FsdA", "A9lBa6RTbfBovWqamVIqXKovIl4Vk6OZyVojLJmYmSI"];
  test.each([
    `$argon2id$v=19$m=262145,t=1,p=1$${salt}$${key}`,
    `$argon2id$v=19$m=65536,t=17,p=1$${salt}$${key}`,
    `$argon2id$v=19$m=19456,t=0,p=1$${salt}$${key}`,
    `$scrypt$ln=19,r=8,p=1$${salt}$${key}`,
    `$scrypt$ln=17,r=8,p=5$${salt}$${key}`,
    `$scrypt$ln=999999999,r=8,p=1$${salt}$${key}`,
    `scrypt:1000:8:1$somesalt$${"ab".repeat(32)}`,
    `$pbkdf2-sha256$i=5000001$${salt}$${key}`,
    `$pbkdf2-sha256$i=0$${salt}$${key}`,
    `$2b$16$${"a".repeat(53)}`,
    // The outputs have four blocks and two blocks. All iterations are computed again for each block.
    `$pbkdf2-sha256$i=5000000$${salt}$${"A".repeat(171)}`,
    `$pbkdf2-sha1$i=5000000$${salt}$${key}`,
    `$pbkdf2-sha512$i=2500001$${salt}$${key}`,
    `pbkdf2:sha256:5000000$somesalt$${"ab".repeat(33)}`,
    // N is small, so most of the work is the 256 MiB that PBKDF2 computes and hashes again.
    `$scrypt$ln=1,r=1,p=2097152$${salt}$${key}`,
    `$fbscrypt$v=1,n=1,r=1,p=2097152,ss=Bw==,sk=${key}=$${salt}==$${key}=`,
    // OpenSSL would start half a million threads.
    `$argon2id$v=19$m=128,t=8192,p=16$${salt}$${key}`,
  ])("%s", (stored) => expect(() => parseStored(stored)).toThrow(/that are not supported/));

  test.each([
    `$argon2id$v=19$m=65536,t=16,p=1$${salt}$${key}`,
    `$argon2id$v=19$m=65536,t=3,p=4$${salt}$${key}`,
    `$scrypt$ln=17,r=8,p=4$${salt}$${key}`,
    `$pbkdf2-sha256$i=5000000$${salt}$${key}`,
    `$2b$15$${"a".repeat(53)}`,
  ])("but a hash with exactly the maximum cost is accepted: %s", (stored) => expect(() => parseStored(stored)).not.toThrow());
});
