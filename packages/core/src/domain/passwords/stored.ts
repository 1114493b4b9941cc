import { UnsupportedHashError } from "../../adapters/hasher.ts";
import { readBcrypt, readPhc, readTextual } from "./forms.ts";
import { longestHash } from "./phc.ts";
import type { StoredHash } from "./stored-hash.ts";

/**
 * The most that one stored hash may cost: about two seconds and 256 MiB. Hashes are imported by tenants' administrators,
 * and without a limit one of them could slow down every tenant.
 */
const most = {
  kibibytes: 256 * 1024,
  kibibytePasses: 1024 * 1024,
  scryptBlocks: 2 ** 22,
  iterations: 5_000_000,
  bcryptCost: 15,
  keyBytes: 128,
};

/** @throws {UnsupportedHashError} for an unknown form, and for parameters beyond what is allowed to cost. */
export function parseStored(text: string): StoredHash {
  const parsed = text.length <= longestHash ? (readBcrypt(text) ?? readTextual(text) ?? readPhc(text)) : undefined;
  if (parsed === undefined) throw new UnsupportedHashError("a stored password hash is of an unknown form");
  if (!affordable(parsed)) throw new UnsupportedHashError(`a stored ${parsed.kind} hash has parameters outside of what is verified`);
  return parsed;
}

function affordable(hash: StoredHash): boolean {
  if (hash.kind === "bcrypt") return Number(hash.text.slice(4, 6)) <= most.bcryptCost;
  if (hash.key.length < 10 || hash.key.length > most.keyBytes) return false;
  if (hash.kind === "digest") return true;
  if (hash.kind === "pbkdf2") return hash.iterations >= 1 && hash.iterations <= most.iterations;
  if (hash.kind === "argon2") {
    const { memory, passes, parallelism, salt } = hash;
    const valid = passes >= 1 && parallelism >= 1 && parallelism <= 16 && memory >= 8 * parallelism && salt.length >= 8;
    return valid && memory <= most.kibibytes && memory * passes <= most.kibibytePasses;
  }
  const { cost, blockSize, parallelism } = hash;
  const valid = cost >= 2 && Number.isInteger(Math.log2(cost)) && blockSize >= 1 && parallelism >= 1;
  return valid && (cost * blockSize) / 8 <= most.kibibytes && cost * blockSize * parallelism <= most.scryptBlocks;
}
