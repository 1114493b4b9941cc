import { objectOf } from "./answer.ts";
import { authIdCases } from "./cases/auth-ids.ts";
import { cookieCases } from "./cases/cookies.ts";
import { cursorCases } from "./cases/cursors.ts";
import { idCases } from "./cases/ids.ts";
import { thingCases } from "./cases/things.ts";
import { personTokenCases, tokenCases } from "./cases/tokens.ts";
import { NotApplicable, type Definition, type Room } from "./definition.ts";
import { describeDocument, type Description } from "./document.ts";
import { recordsOf } from "./records.ts";
import { openParty, type Fetch, type Party, type SentMessage, type TenantAccess } from "./tenant-access.ts";

/** What the suite is told of an installation. */
export interface IsolationOptions {
  /** The tenant whose ids, tokens, cursors, codes and links are replayed. Not the control plane: what that shares is no secret of its own. */
  readonly owner: TenantAccess;
  /** The tenant where they are. Both are tenants for tests: what the suite makes in them, and what it sets there, stays. */
  readonly stranger: TenantAccess;
  /** Sends a request, and follows no redirect. The global `fetch` by default; `postern.fetch` for an installation in the same process. */
  readonly fetch?: Fetch;
  /** Hands over the last message that was sent to an address. Without it the cases about codes and links in messages are skipped. */
  readonly message?: (to: string) => Promise<SentMessage>;
}

/** One thing that must not pass from tenant to tenant. */
export interface IsolationCase {
  /** The kind of thing that is replayed, and where: `cursor: GET /api/v2/users`. */
  readonly name: string;
  /**
   * Resolves where everything of the owner is answered as what nobody has, and rejects with what was asked and what was answered otherwise.
   * Pass it to a test runner as it is: a case that does not apply then marks itself as skipped, with the reason.
   */
  readonly run: (this: unknown, ...context: unknown[]) => Promise<void>;
}

/**
 * The replay of one tenant's things in another as cases for any test runner, read from the installation's own OpenAPI documents.
 * Run them one after the other: they share what they make.
 *
 * @example With vitest, node:test or mocha (whose `test` is named `it`):
 * for (const { name, run } of await createIsolationCases({ owner, stranger })) test(name, run);
 *
 * @throws where the installation does not answer with its documents.
 */
export async function createIsolationCases(options: IsolationOptions): Promise<readonly IsolationCase[]> {
  const { fetch = (request) => globalThis.fetch(request), message } = options;
  const [owner, stranger] = [openParty(options.owner, fetch), openParty(options.stranger, fetch)];
  const management = await documentAt(stranger, "/api/v2/spec");
  const auth = await documentAt(stranger, "/.well-known/openapi.json");
  const [theirs, own] = [recordsOf(owner, management), recordsOf(stranger, management)];
  const room: Room = { owner, stranger, management, auth, theirs, own, message };
  const guarded = management.operations.filter(({ scopes }) => scopes.length > 0);
  // What only reads comes first: it is slower where much has been made.
  const [reads, writes] = [guarded.filter(({ method }) => method === "GET"), guarded.filter(({ method }) => method !== "GET")];
  const definitions: readonly Definition[] = [
    ...idCases(reads),
    ...tokenCases(guarded),
    ...personTokenCases(auth.operations),
    ...cursorCases(guarded),
    ...thingCases,
    ...cookieCases,
    ...authIdCases(auth.operations),
    ...idCases(writes),
  ];
  return definitions.map((definition) => ({
    name: definition.name,
    async run(this: unknown, ...[context]: unknown[]) {
      try {
        await definition.run(room);
      } catch (error) {
        if (!(error instanceof NotApplicable)) throw error;
        (skipOf(context) ?? skipOf(this))?.(error.message);
      }
    },
  }));
}

async function documentAt(party: Party, path: string): Promise<Description> {
  return describeDocument(objectOf(await party.call("GET", path), 200, `GET ${path}`));
}

/** How a runner is told that a test does not apply: by the test's first argument (vitest, node:test) or by its `this` (mocha). */
function skipOf(runner: unknown): ((reason: string) => void) | undefined {
  if ((typeof runner !== "object" && typeof runner !== "function") || runner === null || !("skip" in runner)) return undefined;
  const { skip } = runner;
  return typeof skip === "function" ? (reason) => void skip.call(runner, reason) : undefined;
}
