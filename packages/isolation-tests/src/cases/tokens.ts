import { told } from "../compare.ts";
import type { Definition, Room } from "../definition.ts";
import type { Operation } from "../document.ts";
import { parametersOf } from "../records.ts";

/** One for each operation of the Management API that needs a token: a token of the owner's is refused, whatever it names. */
export function tokenCases(operations: readonly Operation[]): readonly Definition[] {
  return operations.map((operation) => ({ name: `token: ${operation.title}`, run: (room) => replayToken(operation, room) }));
}

async function replayToken({ method, path, body }: Operation, { owner, stranger, own }: Room): Promise<void> {
  const token = await owner.token();
  const named = parametersOf(path);
  const ids = path.startsWith("/api/v2/") ? await own.fill(path) : path.replaceAll(/\{\w+\}/g, stranger.id);
  const never = path.replaceAll(/\{\w+\}/g, "never-made");
  const ask = async (at: string, headers: { readonly [name: string]: string } = {}): Promise<string> => {
    const answer = await stranger.call(method, at, { token, headers, ...(body !== undefined && { body: {} }) });
    if (answer.status !== 401 && answer.status !== 403)
      throw new Error(`a token of '${owner.id}' at '${stranger.id}' is answered ${told(answer, at)}`);
    return told(answer, at);
  };
  const known = await ask(ids);
  if (named.length > 0) same(known, await ask(never));
  // By header, a tenant that is there is as good as one that is not.
  if (stranger.isNamedByHeader) same(known, await ask(ids, { "tenant-id": "never-made" }));
}

function same(known: string, unknown: string): void {
  if (known !== unknown) throw new Error(`what is there is answered ${known}\nwhat is not is answered ${unknown}`);
}
