/** Options of Node.js and environment variables. */
interface ProcessSettings {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** V8's options. Sizes in MiB, growth in percent. */
const v8Flags = { "--max-semi-space-size": 4, "--initial-old-space-size": 48, "--heap-growing-percent": 20 };

/** One password hash with argon2id needs 19 MiB. */
const [moreThanOneHash, lessThanTwoHashes] = [32 * 1024 * 1024, 24 * 1024 * 1024];

/** The settings of glibc's malloc. */
const tunables = ["arena_max=1", `mmap_threshold=${moreThanOneHash}`, `trim_threshold=${lessThanTwoHashes}`, "hugetlb=1"];

/**
 * Returns settings with which the server needs less memory for the same CPU. docs/operations.md has their measured
 * effect.
 *
 * - `--max-semi-space-size`: V8 uses up to three times this size for new objects. Its default maximum is 32 MiB.
 * - `--initial-old-space-size`, `--heap-growing-percent`: V8 collects old objects when they reach 48 MiB, and then
 *   whenever they have grown by 20 %. By default, it waits for several times as much.
 * - `GLIBC_TUNABLES`: all threads share their free memory (`arena_max`), and a password hash uses the memory of an
 *   earlier one (`mmap_threshold`). By default, every thread keeps the memory of its own hashes. The end of the heap is
 *   returned to the system if it has room for more than one hash (`trim_threshold`). With `hugetlb=1`, the system
 *   provides memory in pages of 2 MiB, which costs less than pages of 4 KiB. Only glibc reads this variable.
 * @param existing the settings of this process. Their values have precedence.
 * @returns the settings to add.
 */
export function memorySettings(existing: ProcessSettings): {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  const given = `${existing.flags.join(" ")} ${existing.env["NODE_OPTIONS"] ?? ""}`.replaceAll("_", "-");
  return {
    flags: Object.entries(v8Flags).flatMap(([flag, value]) => (given.includes(flag) ? [] : [`${flag}=${value}`])),
    env:
      existing.env["GLIBC_TUNABLES"] === undefined
        ? { GLIBC_TUNABLES: tunables.map((setting) => `glibc.malloc.${setting}`).join(":") }
        : {},
  };
}
