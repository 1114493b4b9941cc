import { PosternError } from "../../errors.ts";
import type { RequestParts } from "../../server/handle-request.ts";
import { managementScopes, type Scope } from "../../model/scopes.ts";
import { operations, type TenantApi } from "./api.ts";
import type { InProcessOperation } from "./call.ts";

/** Options of `postern.tenant`. */
export interface TenantOptions {
  /**
   * The Management API scopes that the calls have. Default: all. An operation that requires another scope rejects with
   * `insufficient_scope`.
   */
  readonly scopes?: readonly Scope[];
  /**
   * The name of the caller in the tenant's audit log, for example the name of a job or of an administrator. At most 100
   * characters. Default: `host`.
   */
  readonly name?: string;
  /** The host name in the links that emails contain. Default: the host of the issuer. */
  readonly host?: string;
  /**
   * Preferences for the calls, in the syntax of the `Prefer` header (RFC 7240 section 2), for example `include-linked`.
   */
  readonly prefer?: string;
}

/** Creates the in-process API of a tenant. */
export type OpenTenant = (tenantId: string, options?: TenantOptions) => TenantApi;

/** Starts a call, or rejects it. */
type Admit = <T>(begin: () => Promise<T>) => Promise<T>;

/**
 * Creates {@link OpenTenant}.
 * @param ready settles when the data store has been checked.
 * @param admit starts or rejects each call. Default: every call starts immediately.
 */
export function createInProcess(
  parts: Omit<RequestParts, "authentication">,
  ready: () => Promise<void>,
  admit: Admit = (begin) => begin(),
): OpenTenant {
  const every = new Set<string>(managementScopes.map(({ value }) => value));
  return (tenantId, { scopes, name = "host", host, prefer } = {}) => {
    const unknown = scopes?.find((scope) => !every.has(scope));
    if (unknown !== undefined) throw new PosternError("configuration_error", `'${unknown}' is not a scope of the Management API`);
    if (name === "" || name.length > 100) throw new PosternError("configuration_error", "'name' must have 1 to 100 characters");
    const worker = { tenantId, name, scopes: scopes === undefined ? every : new Set(scopes), host, prefer };
    const call: InProcessOperation = async (operation, given) => {
      const { createCall } = await import("./call.ts");
      return createCall(parts, ready, worker)(operation, given);
    };
    // The types, and the table from which the methods are created, derive from the same routes.
    return methodsOf(operations, (operation, given) => admit(() => call(operation, given))) as unknown as TenantApi;
  };
}

/** Operations, such as `GET /api/v2/users/:id`, by the names of their methods. */
interface Names {
  readonly [word: string]: string | Names;
}

function methodsOf(names: Names, call: InProcessOperation): object {
  return Object.fromEntries(
    Object.entries(names).map(([word, member]) => [
      word,
      typeof member === "string" ? (...given: readonly unknown[]) => call(member, given) : methodsOf(member, call),
    ]),
  );
}
