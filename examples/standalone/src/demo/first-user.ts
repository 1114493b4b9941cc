import { BusyError, UnsupportedHashError, type PasswordHasher } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";

/** The first user, as the page may tell: with the password, or with a sentence in its place. */
export interface ShownUser {
  readonly email: string;
  readonly password: { readonly shown: string } | { readonly told: string };
}

/** The account that a newcomer signs in with. */
export interface FirstUser {
  /** @param isLocal whether the page stays on this machine: the password is for nobody else. */
  show(isLocal: boolean): Promise<ShownUser>;
}

/** What {@link createFirstUser} works with. */
export interface FirstUserParts {
  readonly data: DataAdapter;
  readonly hasher: PasswordHasher;
  readonly tenantId: string;
  readonly email: string;
  /** What the server was started with, which is what it prints. */
  readonly password: string;
  /** Where the operator finds the password, for example a variable or a file. */
  readonly keptIn: string;
}

export function createFirstUser({ data, hasher, tenantId, email, password, keptIn }: FirstUserParts): FirstUser {
  /** The stored password that was compared last. Comparing costs as much as signing in, and is not for each view of a page. */
  let last: { readonly id: string; readonly matches: boolean } | undefined;

  /** Whether signing in with the printed password works: somebody may have changed it, or the variable was another one at the first start. */
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
      // Nobody signs in with it at this moment, or with this version of Node.
      if (error instanceof BusyError || error instanceof UnsupportedHashError) return false;
      throw error;
    }
  }

  return {
    async show(isLocal) {
      if (!isLocal) return { email, password: { told: `The password is kept in ${keptIn}.` } };
      if (await isCurrent()) return { email, password: { shown: password } };
      return { email, password: { told: "It has another password than the one that this server was started with." } };
    },
  };
}
