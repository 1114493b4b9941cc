import { jsonObject } from "./response.ts";
import { authIdCases } from "./cases/auth-ids.ts";
import { cookieCases } from "./cases/cookies.ts";
import { cursorCases } from "./cases/cursors.ts";
import { idCases } from "./cases/ids.ts";
import { artifactCases } from "./cases/artifacts.ts";
import { userTokenCases, tokenCases } from "./cases/tokens.ts";
import { NotApplicableToService, type IsolationDefinition, type Fixture } from "./definition.ts";
import { describeDocument, type Description } from "./document.ts";
import { recordsOf } from "./records.ts";
import { connectTenant, type Fetch, type Tenant, type SentMessage, type TenantAccess } from "./tenant-access.ts";

/** The installation that the suite checks. */
export interface IsolationOptions {
  /**
   * The tenant whose ids, tokens, cursors, codes and links are replayed.
   * Must not be the control plane, because child tenants may see the records that it shares.
   */
  readonly owner: TenantAccess;
  /**
   * The tenant where they are replayed. Use two tenants that exist only for tests: the suite deletes nothing that it
   * creates.
   */
  readonly stranger: TenantAccess;
  /**
   * Sends a request and follows no redirects. Default: the global `fetch`. Pass `postern.fetch` for an installation in
   * the same process.
   */
  readonly fetch?: Fetch;
  /**
   * Returns the last message that was sent to an address. Without it, the cases about codes and links in messages are
   * skipped.
   */
  readonly message?: (to: string) => Promise<SentMessage>;
}

/** One check of the isolation of the two tenants. */
export interface IsolationCase {
  /** The replayed values, and the operation: `cursor: GET /api/v2/users`. */
  readonly name: string;
  /**
   * Resolves if each response to a value of the owner equals the response to an unknown value. Rejects with the
   * requests and responses that differ. Pass it to a test runner directly: a case that does not apply marks itself as
   * skipped, with the reason.
   */
  readonly run: (this: unknown, ...context: unknown[]) => Promise<void>;
}

/**
 * Creates test cases that replay one tenant's ids, tokens, codes and links in another tenant, for any test runner.
 * The operations are read from the installation's OpenAPI documents. Run the cases one after the other: they share
 * records.
 *
 * @example With vitest, node:test or mocha (whose `test` is named `it`):
 * for (const { name, run } of await createIsolationCases({ owner, stranger })) test(name, run);
 *
 * @throws if the installation does not serve its OpenAPI documents.
 */
export async function createIsolationCases(options: IsolationOptions): Promise<readonly IsolationCase[]> {
  const { fetch = (request) => globalThis.fetch(request), message } = options;
  const [owner, stranger] = [connectTenant(options.owner, fetch), connectTenant(options.stranger, fetch)];
  const management = await documentAt(stranger, "/api/v2/spec");
  const auth = await documentAt(stranger, "/.well-known/openapi.json");
  const [ownerRecords, strangerRecords] = [recordsOf(owner, management), recordsOf(stranger, management)];
  const fixture: Fixture = { owner, stranger, management, auth, ownerRecords, strangerRecords, message };
  const guarded = management.operations.filter(({ scopes }) => scopes.length > 0);
  // Read operations run first, because lists get slower as the suite creates records.
  const [reads, writes] = [guarded.filter(({ method }) => method === "GET"), guarded.filter(({ method }) => method !== "GET")];
  const definitions: readonly IsolationDefinition[] = [
    ...idCases(reads),
    ...tokenCases(guarded),
    ...userTokenCases(auth.operations),
    ...cursorCases(guarded),
    ...artifactCases,
    ...cookieCases,
    ...authIdCases(auth.operations),
    ...idCases(writes),
  ];
  return definitions.map((definition) => ({
    name: definition.name,
    async run(this: unknown, ...[context]: unknown[]) {
      try {
        await definition.run(fixture);
      } catch (error) {
        if (!(error instanceof NotApplicableToService)) throw error;
        (skipOf(context) ?? skipOf(this))?.(error.message);
      }
    },
  }));
}

async function documentAt(tenant: Tenant, path: string): Promise<Description> {
  return describeDocument(jsonObject(await tenant.call("GET", path), 200, `GET ${path}`));
}

/**
 * Returns the runner's function that skips a test. It is on the first argument (vitest, node:test) or on `this`
 * (mocha).
 */
function skipOf(runner: unknown): ((reason: string) => void) | undefined {
  if ((typeof runner !== "object" && typeof runner !== "function") || runner === null || !("skip" in runner)) return undefined;
  const { skip } = runner;
  return typeof skip === "function" ? (reason) => void skip.call(runner, reason) : undefined;
}
