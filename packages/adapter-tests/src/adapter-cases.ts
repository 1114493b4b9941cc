import type { CollectionName, DataAdapter } from "@postern/core/adapter";
import { collectionNames, definitions } from "./cases/all.ts";
import type { CaseDefinition, CaseContext } from "./definition.ts";
import { CaseFailure, NotApplicable } from "./failure.ts";

/** Options of {@link createAdapterCases}. */
export interface AdapterCasesOptions {
  /**
   * Returns the adapter under test. It may return the same adapter for all cases. Each case uses a separate tenant and
   * does not delete its rows, so use a test database.
   */
  readonly open: () => DataAdapter | Promise<DataAdapter>;
  /** Returns an adapter that one case closes. Without this option, that case is skipped. */
  readonly openToClose?: () => DataAdapter | Promise<DataAdapter>;
  /**
   * The collections under test. Default: all. Set this option if the host application replaces only some collections.
   */
  readonly collections?: readonly CollectionName[];
  /** The cases that this adapter is known to fail, by name. The report shows the reason for each list. */
  readonly skip?: readonly { readonly reason: string; readonly cases: readonly string[] }[];
  /** Timeout of one case, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
}

/** Tests one requirement of the contract. Cases are independent: run them in any order, or concurrently. */
export interface AdapterCase {
  readonly name: string;
  /** What can go wrong in a service whose adapter does not meet the requirement. */
  readonly why: string;
  /** The reason for skipping the case, if the option `skip` lists it. */
  readonly skip?: string;
  /**
   * Resolves if the adapter meets the requirement. Otherwise it rejects, and the error contains the expected and the
   * actual result. Pass this function directly to a test runner. If the case does not apply to the adapter, the
   * function marks the test as skipped and passes the reason.
   */
  readonly run: (this: unknown, ...context: unknown[]) => Promise<void>;
}

/**
 * Creates the cases of the data contract, for any test runner.
 *
 * @example With vitest, node:test or mocha (whose `test` is named `it`):
 * for (const { name, run } of createAdapterCases({ open: () => myAdapter() })) test(name, run);
 *
 * @throws {TypeError} if `skip` names a case that does not exist, or has no reason.
 */
export function createAdapterCases(options: AdapterCasesOptions): readonly AdapterCase[] {
  return adapterCasesOf(options).map(({ execute, ...rest }) => ({
    ...rest,
    async run(this: unknown, ...[context]: unknown[]) {
      const reason = await execute();
      if (reason !== undefined) (skipOf(context) ?? skipOf(this))?.(reason);
    },
  }));
}

/**
 * Returns the function of the test runner that skips the current test. It is a member of the test's first argument
 * (vitest, node:test) or of the test's `this` (mocha).
 */
function skipOf(runner: unknown): ((reason: string) => void) | undefined {
  if ((typeof runner !== "object" && typeof runner !== "function") || runner === null || !("skip" in runner)) return undefined;
  const { skip } = runner;
  return typeof skip === "function" ? (reason) => void skip.call(runner, reason) : undefined;
}

/** A case that is bound to an adapter. If the case is skipped, `execute` resolves with the reason. */
export interface BoundCase extends Omit<AdapterCase, "run"> {
  readonly execute: () => Promise<string | undefined>;
}

/** Creates the cases that apply to an adapter. */
export function adapterCasesOf({
  open,
  openToClose,
  collections = collectionNames,
  skip = [],
  timeout = 30_000,
}: AdapterCasesOptions): readonly BoundCase[] {
  const reasons = new Map<string, string>();
  for (const { reason, cases } of skip) {
    if (reason.trim() === "") throw new TypeError(`'skip' requires a reason for ${cases.join(", ")}`);
    for (const name of cases) {
      if (!definitions.some((definition) => definition.name === name)) throw new TypeError(`the case '${name}' in 'skip' does not exist`);
      reasons.set(name, reason);
    }
  }
  const unknown = collections.find((name) => !collectionNames.includes(name));
  if (unknown !== undefined) throw new TypeError(`the collection '${unknown}' does not exist`);

  return definitions
    .filter((definition) => definition.fits(collections))
    .map((definition) => {
      const { name, why } = definition;
      const reason = reasons.get(name);
      if (reason !== undefined) return { name, why, skip: reason, execute: async () => reason };
      return {
        name,
        why,
        execute: async () => within(timeout, run(definition, { adapter: await open(), openToClose, names: collections })),
      };
    });
}

async function run(definition: CaseDefinition, room: CaseContext): Promise<string | undefined> {
  try {
    await definition.run(room);
    return undefined;
  } catch (error) {
    if (error instanceof NotApplicable) return error.message;
    if (error instanceof CaseFailure) error.message += `\n  why it matters: ${definition.why}`;
    throw error;
  }
}

async function within<T>(timeout: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CaseFailure(`timeout after ${timeout} ms: a call does not settle`)), timeout);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
