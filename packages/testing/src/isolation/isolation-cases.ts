import { jsonObject } from "./response.ts";
import { authIdCases } from "./cases/auth-ids.ts";
import { cookieCases } from "./cases/cookies.ts";
import { cursorCases } from "./cases/cursors.ts";
import { idCases } from "./cases/ids.ts";
import { artifactCases, myAccountArtifactCases } from "./cases/artifacts.ts";
import { myAccountTokenCases, userTokenCases, tokenCases } from "./cases/tokens.ts";
import { NotApplicableToService, type IsolationDefinition, type Fixture } from "./definition.ts";
import { describeDocument, type Description } from "./document.ts";
import { recordsOf } from "./records.ts";
import { connectTenant, type Fetch, type ConnectedTenant, type SentMessage, type TenantAccess } from "./tenant-access.ts";

/** The service that the suite checks, and two of its tenants. */
export interface IsolationOptions {
  /**
   * The tenant whose ids, tokens, cursors, codes and links are replayed. It must not be the control plane, because
   * child tenants may see the resources that the control plane shares.
   */
  readonly owner: TenantAccess;
  /**
   * The tenant in which they are replayed. Use two tenants that exist only for tests, because the suite does not delete
   * the resources that it creates.
   */
  readonly stranger: TenantAccess;
  /**
   * Sends the requests of the cases, which set `redirect: "manual"`. Default: the global `fetch`. Pass `postern.fetch`
   * for a service in the same process.
   */
  readonly fetch?: Fetch;
  /**
   * Returns the last message that was sent to an email address. Without it, the cases about codes and links in messages
   * are skipped.
   */
  readonly message?: (to: string) => Promise<SentMessage>;
}

/** One check of the isolation of the two tenants. */
export interface IsolationCase {
  /** The replayed values, and the operation: `cursor: GET /api/v2/users`. */
  readonly name: string;
  /**
   * Resolves if each response to a value from the owner tenant equals the response to an unknown value. Otherwise
   * rejects with the responses that differ and their requests. Pass this function to a test runner directly, so that a
   * case that does not apply can skip itself with a reason.
   */
  readonly run: (this: unknown, ...context: unknown[]) => Promise<void>;
}

/**
 * Creates test cases that replay one tenant's ids, tokens, codes and links in another tenant, for any test runner. The
 * operations are read from the OpenAPI documents of the service. Run the cases one after the other, because they share
 * resources.
 *
 * @example With vitest, node:test or mocha (whose `test` is named `it`):
 * for (const { name, run } of await createIsolationCases({ owner, stranger })) test(name, run);
 *
 * @throws if the service does not serve its OpenAPI documents.
 */
export async function createIsolationCases(options: IsolationOptions): Promise<readonly IsolationCase[]> {
  const { fetch = (request) => globalThis.fetch(request), message } = options;
  const [owner, stranger] = [connectTenant(options.owner, fetch), connectTenant(options.stranger, fetch)];
  const management = await documentAt(stranger, "/api/v2/spec");
  const auth = await documentAt(stranger, "/.well-known/openapi.json");
  const myAccount = await documentAt(stranger, "/me/v1/openapi.json");
  const [ownerRecords, strangerRecords] = [recordsOf(owner, management), recordsOf(stranger, management)];
  const fixture: Fixture = { owner, stranger, management, auth, ownerRecords, strangerRecords, message };
  const guarded = management.operations.filter(({ scopes }) => scopes.length > 0);
  const ofUsers = myAccount.operations.filter(({ scopes }) => scopes.length > 0);
  // Read operations run first, because lists get slower as the suite creates resources.
  const [reads, writes] = [guarded.filter(({ method }) => method === "GET"), guarded.filter(({ method }) => method !== "GET")];
  const definitions: readonly IsolationDefinition[] = [
    ...idCases(reads),
    ...tokenCases(guarded),
    ...userTokenCases(auth.operations),
    ...myAccountTokenCases(ofUsers),
    ...cursorCases(guarded),
    ...artifactCases,
    ...myAccountArtifactCases(ofUsers),
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

async function documentAt(tenant: ConnectedTenant, path: string): Promise<Description> {
  return describeDocument(jsonObject(await tenant.call("GET", path), 200, `GET ${path}`));
}

/**
 * Returns the runner's function that skips a test. The function is a member of the first argument (vitest, node:test)
 * or of `this` (mocha).
 */
function skipOf(runner: unknown): ((reason: string) => void) | undefined {
  if ((typeof runner !== "object" && typeof runner !== "function") || runner === null || !("skip" in runner)) return undefined;
  const { skip } = runner;
  return typeof skip === "function" ? (reason) => void skip.call(runner, reason) : undefined;
}
