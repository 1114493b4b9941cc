import { UnsupportedHashError } from "../../adapters/hasher.ts";
import { hashCost, maximumCost } from "./cost.ts";
import { readBcrypt, readPhc, readTextual } from "./forms.ts";
import { maximumHashLength } from "./phc.ts";
import type { StoredHash } from "./stored-hash.ts";

/** The maximum memory that verifying one hash may use, in KiB. */
const maximumMemory = 256 * 1024;

/** The minimum and maximum length of a key, in bytes. A shorter key would match too many passwords. */
const keyBytes = { shortest: 10, longest: 128 };

/**
 * Parses a stored hash.
 * @throws {UnsupportedHashError} if the format is unknown, a parameter is invalid, or the hash exceeds the maximum work
 * or memory.
 */
export function parseStored(text: string): StoredHash {
  const parsed = readForm(text);
  if (parsed === undefined) throw new UnsupportedHashError("a stored password hash has an unknown format");
  const fault = faultIn(parsed);
  if (fault !== undefined) throw new UnsupportedHashError(`a stored ${parsed.kind} hash has parameters that are not supported${fault}`);
  return parsed;
}

/**
 * Describes which maximum a hash exceeds, for the administrator who imports the hash. Undefined if the hash exceeds no
 * maximum, or if its format is unknown.
 */
export function excessOf(text: string): string | undefined {
  const parsed = readForm(text);
  return parsed && isValid(parsed) ? excessIn(parsed) : undefined;
}

function readForm(text: string): StoredHash | undefined {
  return text.length <= maximumHashLength ? (readBcrypt(text) ?? readTextual(text) ?? readPhc(text)) : undefined;
}

function faultIn(hash: StoredHash): string | undefined {
  if (!isValid(hash)) return "";
  const excess = excessIn(hash);
  return excess && `: ${excess}`;
}

function excessIn(hash: StoredHash): string | undefined {
  return compare(memoryOf(hash), maximumMemory, "KiB of memory") ?? compare(hashCost(hash), maximumCost, "units of work");
}

function compare(needed: number, maximum: number, unit: string): string | undefined {
  return needed > maximum ? `it needs ${Math.ceil(needed)} ${unit}, but the maximum is ${maximum}` : undefined;
}

/** Returns whether the parameters are valid for the algorithm. */
function isValid(hash: StoredHash): boolean {
  if (hash.kind === "bcrypt") return true;
  if (hash.key.length < keyBytes.shortest || hash.key.length > keyBytes.longest) return false;
  if (hash.kind === "digest") return true;
  if (hash.kind === "pbkdf2") return hash.iterations >= 1;
  if (hash.kind === "argon2") {
    const { memory, passes, parallelism, salt } = hash;
    return passes >= 1 && parallelism >= 1 && parallelism <= 16 && memory >= 8 * parallelism && salt.length >= 8;
  }
  const { cost, blockSize, parallelism } = hash;
  return cost >= 2 && Number.isInteger(Math.log2(cost)) && blockSize >= 1 && parallelism >= 1;
}

/** Returns the memory that computing a hash requires, in KiB. */
function memoryOf(hash: StoredHash): number {
  if (hash.kind === "argon2") return hash.memory;
  if (hash.kind !== "scrypt" && hash.kind !== "firebase") return 0;
  return (hash.cost * hash.blockSize) / 8;
}
