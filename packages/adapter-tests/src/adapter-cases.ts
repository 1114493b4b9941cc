import type { CollectionName, DataAdapter } from "@postern/core/adapter";
import { collectionNames, definitions } from "./cases/all.ts";
import type { Definition, Room } from "./definition.ts";
import { CaseFailure, NotApplicable } from "./failure.ts";

/** How the suite is run on an adapter. */
export interface AdapterCasesOptions {
  /**
   * Gives the adapter under test. It may give the same one to all cases, which use a tenant each and leave their rows behind:
   * point it at a database that is for tests.
   */
  readonly open: () => DataAdapter | Promise<DataAdapter>;
  /** Gives an adapter that one case may close. Without it that case is skipped. */
  readonly openToClose?: () => DataAdapter | Promise<DataAdapter>;
  /** The collections under test, where only some are the host's own. All by default. */
  readonly collections?: readonly CollectionName[];
  /** Cases that this adapter is known not to pass, by name, each with the reason: it is what the report says. */
  readonly skip?: readonly { readonly reason: string; readonly cases: readonly string[] }[];
  /** How long one case may take before it has failed; 30,000 milliseconds by default. */
  readonly timeout?: number;
}

/** One promise of the contract. Cases know nothing of each other: run them in any order, or all at once. */
export interface AdapterCase {
  readonly name: string;
  /** What goes wrong in a service whose adapter breaks the promise. */
  readonly why: string;
  /** Set where the host skips the case. */
  readonly skip?: string;
  /**
   * Resolves when the promise is kept, and rejects with what was expected and what came.
   * Pass it to a test runner as it is: a case that does not apply then marks itself as skipped, with the reason.
   */
  readonly run: (this: unknown, ...context: unknown[]) => Promise<void>;
}

/**
 * The data contract as independent cases, for any test runner.
 *
 * @example With vitest, node:test or mocha (whose `test` is named `it`):
 * for (const { name, run } of createAdapterCases({ open: () => myAdapter() })) test(name, run);
 *
 * @throws {TypeError} where `skip` names a case that does not exist, or gives no reason.
 */
export function createAdapterCases(options: AdapterCasesOptions): readonly AdapterCase[] {
  return judgements(options).map(({ judge, ...rest }) => ({
    ...rest,
    async run(this: unknown, ...[context]: unknown[]) {
      const reason = await judge();
      if (reason !== undefined) (skipOf(context) ?? skipOf(this))?.(reason);
    },
  }));
}

/** How a runner is told that a test does not apply: by the test's first argument (vitest, node:test) or by its `this` (mocha). */
function skipOf(runner: unknown): ((reason: string) => void) | undefined {
  if ((typeof runner !== "object" && typeof runner !== "function") || runner === null || !("skip" in runner)) return undefined;
  const { skip } = runner;
  return typeof skip === "function" ? (reason) => void skip.call(runner, reason) : undefined;
}

/** A case bound to an adapter. `judge` resolves with a reason where the case is skipped. */
export interface Judgement extends Omit<AdapterCase, "run"> {
  readonly judge: () => Promise<string | undefined>;
}

/** Binds the cases that fit to the host's adapter. */
export function judgements({
  open,
  openToClose,
  collections = collectionNames,
  skip = [],
  timeout = 30_000,
}: AdapterCasesOptions): readonly Judgement[] {
  const reasons = new Map<string, string>();
  for (const { reason, cases } of skip) {
    if (reason.trim() === "") throw new TypeError(`a skip needs a reason: ${cases.join(", ")}`);
    for (const name of cases) {
      if (!definitions.some((definition) => definition.name === name)) throw new TypeError(`there is no case '${name}' to skip`);
      reasons.set(name, reason);
    }
  }
  const unknown = collections.find((name) => !collectionNames.includes(name));
  if (unknown !== undefined) throw new TypeError(`there is no collection '${unknown}'`);

  return definitions
    .filter((definition) => definition.fits(collections))
    .map((definition) => {
      const { name, why } = definition;
      const reason = reasons.get(name);
      if (reason !== undefined) return { name, why, skip: reason, judge: async () => reason };
      return { name, why, judge: async () => within(timeout, run(definition, { adapter: await open(), openToClose, names: collections })) };
    });
}

async function run(definition: Definition, room: Room): Promise<string | undefined> {
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
    timer = setTimeout(() => reject(new CaseFailure(`no end within ${timeout} ms: a call hangs`)), timeout);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
