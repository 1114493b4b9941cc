import {
  PasswordTooLongError,
  UnavailableAlgorithmError,
  UnsupportedHashError,
  type PasswordHasher,
  type PasswordVerdict,
} from "../../adapters/hasher.ts";
import { systemRandom, type Random } from "../../adapters/random.ts";
import { createFairQueue } from "./fair-queue.ts";
import { sameBytes, utf8, type Bytes } from "./bytes.ts";
import { hashCost, maximumCost } from "./cost.ts";
import { canDerive, deriveKey } from "./derive.ts";
import { maximumPasswordBytes } from "./limits.ts";
import type { StoredHash } from "./stored-hash.ts";
import { parseStored } from "./stored.ts";
import { hashTargets, isCurrent, newHash, writeHash, type HashTarget, type PasswordAlgorithm } from "./targets.ts";

/** Options of {@link createPasswordHasher}. */
export interface PasswordHasherOptions {
  /**
   * The algorithm for new hashes. Default: `scrypt`, which every supported version of Node has. The default does not
   * depend on the versions of Postern and Node, because all processes of a deployment must be able to verify a hash
   * that one of them writes. `argon2id` (Node 24.7 and later) takes a fifth of the time: prefer it if every process
   * supports it. `pbkdf2` is for runtimes without `node:crypto`. Hashes with another algorithm stay valid and are
   * replaced when their users log in.
   */
  readonly algorithm?: PasswordAlgorithm;
  /**
   * The maximum number of passwords that are hashed at the same time. Default: 2, half of the four threads in Node's
   * thread pool, so that a thread stays free for signatures. On larger machines, increase it together with the
   * environment variable `UV_THREADPOOL_SIZE`.
   */
  readonly concurrency?: number;
  /**
   * The maximum number of passwords that wait to be hashed. If the queue is full, a request fails with a 503 for each
   * further password: the last waiting request of the tenant with the most waiting work. Default: 100.
   */
  readonly queueLimit?: number;
  /**
   * Verifies imported bcrypt hashes (`$2a$`, `$2b$`, `$2y$`), which no runtime supports natively. Receives the password
   * and the hash. The compare function from any bcrypt package works. Native packages (`@node-rs/bcrypt`, `bcrypt`) run
   * outside the event loop; `bcryptjs` blocks the event loop for about 70 ms at cost 10.
   *
   * @example import { verify } from "@node-rs/bcrypt"; createPasswordHasher({ bcrypt: verify });
   */
  readonly bcrypt?: (password: string, hash: string) => Promise<boolean>;
  /** The source of random bytes for salts. Default: the runtime's cryptographic random number generator. */
  readonly random?: Random;
}

/**
 * Creates a password hasher.
 *
 * The hasher normalizes passwords to Unicode NFKC (NIST SP 800-63B section 3.1.1.2), so that a password also matches
 * when it is typed on another keyboard. An imported hash may have been computed without normalization. If normalization
 * changes a password, the hasher therefore also tries the password as typed, and a match requests a rehash. A hash that
 * costs more than half of the maximum is compared only once, with the password as typed: new hashes cost less, so it was
 * imported.
 *
 * @throws {UnavailableAlgorithmError} if this runtime does not support the algorithm.
 */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { algorithm = "scrypt" } = options;
  const target = hashTargets[algorithm];
  if (!canDerive(target.kind)) {
    const needed = algorithm === "argon2id" ? "Node 24.7" : "node:crypto";
    throw new UnavailableAlgorithmError(
      `this runtime does not support ${algorithm}, which requires ${needed}: choose another password algorithm`,
    );
  }
  return createTargetHasher(target, options);
}

/** Creates a password hasher whose new hashes have the parameters of `target`. The runtime must support its algorithm. */
export function createTargetHasher(target: HashTarget, options: Omit<PasswordHasherOptions, "algorithm"> = {}): PasswordHasher {
  const { concurrency = 2, queueLimit = 100, bcrypt, random = systemRandom } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) throw new RangeError("'concurrency' must be an integer of at least 1");
  if (!Number.isInteger(queueLimit) || queueLimit < 0) throw new RangeError("'queueLimit' must be an integer of at least 0");
  const queue = createFairQueue(concurrency, queueLimit, "too many passwords are waiting to be hashed");
  const decoy = newHash(target, random);
  const decoyCost = hashCost(decoy);

  const supported = (stored: string): StoredHash => {
    const hash = parseStored(stored);
    if (hash.kind === "bcrypt" && bcrypt === undefined)
      throw new UnsupportedHashError("bcrypt hashes require the hasher's option `bcrypt`");
    if (hash.kind !== "bcrypt" && !canDerive(hash.kind)) throw new UnsupportedHashError(`this runtime cannot verify ${hash.kind} hashes`);
    return hash;
  };

  const fits = async (password: string, hash: StoredHash): Promise<boolean> => {
    if (hash.kind === "bcrypt") return (await bcrypt?.(password, hash.text)) === true;
    // A digest takes almost no time, which would reveal that the account exists. The decoy is therefore computed as
    // well.
    if (hash.kind === "digest") await deriveKey(utf8(password), decoy);
    return sameBytes(await deriveKey(utf8(password), hash), hash.key);
  };

  /** Returns the cost of computing a hash once, and the forms of the password to compare with it, in order. */
  const planOf = (password: string, hash: StoredHash): { readonly once: number; readonly forms: readonly string[] } => {
    const once = hashCost(hash) + (hash.kind === "digest" ? decoyCost : 0);
    const normal = password.normalize("NFKC");
    // The maximum limits how long one login holds a slot of the queue, so it applies to both forms together.
    const forms = normal === password || 2 * once > maximumCost ? [password] : [normal, password];
    return { once, forms };
  };

  const verifyDummy = async (password: string, tenantId = "", onStart?: () => void): Promise<void> => {
    // A password that is too long is cut, so that it costs as much as any other. The cost limits the number of
    // attempts, and with it the number of attempts that are stored.
    const { once, forms } = planOf(password.slice(0, maximumPasswordBytes), decoy);
    await queue.run(tenantId, once * forms.length, async () => {
      onStart?.();
      for (const form of forms) await fits(form, decoy);
    });
  };

  return {
    queue,
    verifyDummy,

    async hash(password, tenantId = "", onStart) {
      if (tooLong(password)) throw new PasswordTooLongError(`a password must have at most ${maximumPasswordBytes} bytes`);
      const fresh = newHash(target, random);
      const derive = (): ReturnType<typeof deriveKey> => {
        onStart?.();
        return deriveKey(utf8(password.normalize("NFKC")), fresh);
      };
      const key: Bytes = new Uint8Array(await queue.run(tenantId, decoyCost, derive));
      return writeHash({ ...fresh, key });
    },

    async verify(password, stored, tenantId = "", onStart): Promise<PasswordVerdict> {
      const hash = supported(stored);
      if (tooLong(password)) {
        await verifyDummy(password, tenantId, onStart);
        return "no-match";
      }
      const { once, forms } = planOf(password, hash);
      return queue.run(tenantId, once * forms.length, async () => {
        onStart?.();
        for (const [index, form] of forms.entries()) {
          if (await fits(form, hash)) return index === 0 && isCurrent(hash, target) ? "match" : "match-rehash";
        }
        return "no-match";
      });
    },

    accepts(stored) {
      try {
        supported(stored);
        return true;
      } catch (error) {
        if (error instanceof UnsupportedHashError) return false;
        throw error;
      }
    },
  };
}

const tooLong = (password: string): boolean => password.length > maximumPasswordBytes || utf8(password).length > maximumPasswordBytes;
