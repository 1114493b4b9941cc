import type { ManagementClient } from "../management-client.ts";
import { userPageSchema, type DisplayedUser } from "../resources.ts";
import { read } from "./read-parts.ts";
import type { UserSearch } from "./user-search.ts";

/** A page of users, with the position of the next page. */
export interface FoundUsers {
  readonly users: readonly DisplayedUser[];
  readonly next?: string;
}

/** The parameters of one list of users. */
type Listed = Partial<UserSearch>;

/** The page to read: its size, and the position that the page before it returned. */
interface WantedPage {
  readonly take: number;
  readonly from?: string;
  readonly connection?: string;
}

/**
 * Reads a page of the results of searches, one search after the other: the next search begins when the results of the
 * last one do not fill the page. A position is the number of a search, a dot, and the cursor of its results.
 * @throws {ManagementError} with status 400 for a position that the service did not return.
 */
export async function readFoundUsers(
  api: ManagementClient,
  searches: readonly Listed[],
  { take, from = "", connection }: WantedPage,
): Promise<FoundUsers> {
  const [, written = "", rest = ""] = /^(\d)\.(.*)$/.exec(from) ?? [];
  const [first, cursor] = written !== "" && Number(written) < searches.length ? [Number(written), rest] : [0, from];
  const users: DisplayedUser[] = [];
  for (const [i, search] of searches.entries()) {
    if (i < first) continue;
    // One more row shows whether there is a next page.
    const missing = take - users.length;
    const position = i === first ? cursor : "";
    const query = { take: String(Math.max(missing, 1)), from: position, connection, ...search };
    const found = userPageSchema.parse(await read(api, ["users"], query));
    if (missing === 0 && found.users.length > 0) return { users, next: `${i}.` };
    users.push(...found.users);
    if (found.next !== undefined) return { users, next: `${i}.${found.next}` };
  }
  return { users };
}
