import { PosternError } from "../../errors.ts";
import type { AnswerParts } from "../../server/answer.ts";
import { managementScopes, type Scope } from "../../model/scopes.ts";
import { operations, type TenantApi } from "./api.ts";
import type { Operation } from "./call.ts";

/** How the host's own code works in a tenant. See `postern.tenant`. */
export interface TenantOptions {
  /** The scopes of the Management API that the calls have. Default: all of them. An operation that takes another one rejects with `insufficient_scope`. */
  readonly scopes?: readonly Scope[];
  /** Who works, as the tenant's audit log says it: the name of a job or of a colleague. At most 100 characters. Default: `host`. */
  readonly name?: string;
  /** The host name under which the tenant's people know it, which links in mails then have. Default: that of the issuer. */
  readonly host?: string;
  /** What the calls prefer, as the `Prefer` header says it (spec section 4.2): `include-linked`, for example. */
  readonly prefer?: string;
}

/** Makes the in-process API of a tenant. */
export type OpenTenant = (tenantId: string, options?: TenantOptions) => TenantApi;

/** Has a call begin, or refuses it. */
export type Admit = <T>(begin: () => Promise<T>) => Promise<T>;

/** Makes {@link OpenTenant}. @param ready settles when the data store is known to be right. @param admit by default every call begins at once. */
export function createInProcess(
  parts: Omit<AnswerParts, "authentication">,
  ready: () => Promise<void>,
  admit: Admit = (begin) => begin(),
): OpenTenant {
  const every = new Set<string>(managementScopes.map(({ value }) => value));
  return (tenantId, { scopes, name = "host", host, prefer } = {}) => {
    const unknown = scopes?.find((scope) => !every.has(scope));
    if (unknown !== undefined) throw new PosternError("configuration_error", `'${unknown}' is no scope of the Management API`);
    if (name === "" || name.length > 100) throw new PosternError("configuration_error", "'name' takes 1 to 100 characters");
    const worker = { tenantId, name, scopes: scopes === undefined ? every : new Set(scopes), host, prefer };
    const call: Operation = async (operation, given) => {
      const { createCall } = await import("./call.ts");
      return createCall(parts, ready, worker)(operation, given);
    };
    // The types and the table that the methods are made from come from the same routes.
    return methodsOf(operations, (operation, given) => admit(() => call(operation, given))) as unknown as TenantApi;
  };
}

/** Operations by their names: `GET /api/v2/users/:id`. */
interface Names {
  readonly [word: string]: string | Names;
}

function methodsOf(names: Names, call: Operation): object {
  return Object.fromEntries(
    Object.entries(names).map(([word, member]) => [
      word,
      typeof member === "string" ? (...given: readonly unknown[]) => call(member, given) : methodsOf(member, call),
    ]),
  );
}
