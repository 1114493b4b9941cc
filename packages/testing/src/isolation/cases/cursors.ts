import type { Answer } from "../answer.ts";
import { compare } from "../compare.ts";
import { NotApplicable, type Definition, type Room } from "../definition.ts";
import { members, type Operation } from "../document.ts";
import { recordsOf } from "../records.ts";
import type { Party } from "../tenant-access.ts";

/** One for each list that is read on by a cursor. */
export function cursorCases(operations: readonly Operation[]): readonly Definition[] {
  return operations
    .filter(({ method, parameters }) => method === "GET" && parameters.some(({ name }) => name === "from"))
    .map((operation) => ({ name: `cursor: ${operation.title}`, run: (room) => replayCursor(operation, room) }));
}

async function replayCursor({ path }: Operation, room: Room): Promise<void> {
  const { owner, stranger, management, theirs, own } = room;
  const from = async (party: Party, at: string, cursor?: string): Promise<Answer> =>
    party.manage("GET", `${at}?${new URLSearchParams({ take: "1", ...(cursor !== undefined && { from: cursor }) })}`);
  const list = await theirs.fill(path);
  // Two of what is listed, so that there is something to read on to.
  for (const records of [theirs, recordsOf(owner, management)]) await records.id(`${path.replaceAll(/\{\w+\}/g, "{}")}/{}`).catch(() => {});
  const { next } = members((await from(owner, list)).body);
  if (typeof next !== "string") throw new NotApplicable("the list says no cursor, or is too short");
  const comparison = compare(room);
  const at = await own.fill(path);
  await comparison.of("the cursor", [next], async (cursor) => {
    const answer = await from(stranger, at, cursor);
    if (answer.status !== 400) throw new Error(`a cursor is answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  });
  comparison.end();
  const { status } = await from(owner, list, next);
  if (status !== 200) throw new Error(`the cursor no longer works in its own tenant: ${status}`);
}
