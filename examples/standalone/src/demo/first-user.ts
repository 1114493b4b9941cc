import { BusyError, UnsupportedHashError, type PasswordHasher } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";

/** The first user as the home page displays it, with the password or, instead of the password, a note. */
export interface ShownUser {
  readonly email: string;
  readonly password: { readonly shown: string } | { readonly note: string };
}

/** The account for a first sign-in. */
export interface FirstUser {
  /** @param isLocal whether the request is from this machine. The password is returned only in this case. */
  show(isLocal: boolean): Promise<ShownUser>;
}

/** Parameters of {@link createFirstUser}. */
interface FirstUserParts {
  readonly data: DataAdapter;
  readonly hasher: PasswordHasher;
  readonly tenantId: string;
  readonly email: string;
  /** The password with which the server was started. The server prints it. */
  readonly password: string;
  /** The place where the operator finds the password, for example a variable or a file. */
  readonly passwordLocation: string;
}

export function createFirstUser({ data, hasher, tenantId, email, password, passwordLocation }: FirstUserParts): FirstUser {
  /**
   * The result of the last comparison. A comparison costs as much as a sign-in, so the result is cached for further
   * requests to the home page.
   */
  let last: { readonly id: string; readonly matches: boolean } | undefined;

  /**
   * Whether the printed password is valid. The user may have changed the password, or the variable had another value at
   * the first start.
   */
  async function isCurrent(): Promise<boolean> {
    const where = { tenant_id: tenantId, connection: "Username-Password-Authentication", email_key: email.toLowerCase() };
    const [user] = await data.collections.users.find({ where, limit: 1 });
    const id = user?.password_id ?? undefined;
    if (id === undefined) return false;
    if (last?.id === id) return last.matches;
    const [stored] = await data.collections.passwords.find({ where: { tenant_id: tenantId, id }, limit: 1 });
    if (stored === undefined) return false;
    try {
      last = { id, matches: (await hasher.verify(password, stored.hash, tenantId)) !== "no-match" };
      return last.matches;
    } catch (error) {
      // The server is too busy to hash the password, or this version of Node.js does not support the stored hash.
      if (error instanceof BusyError || error instanceof UnsupportedHashError) return false;
      throw error;
    }
  }

  return {
    async show(isLocal) {
      if (!isLocal) return { email, password: { note: `The password is stored in ${passwordLocation}.` } };
      if (await isCurrent()) return { email, password: { shown: password } };
      return { email, password: { note: "The password is not the one that this server was started with." } };
    },
  };
}
