import { told } from "../compare.ts";
import type { Definition, Room } from "../definition.ts";
import type { Operation } from "../document.ts";
import { parametersOf } from "../records.ts";
import { newAccessToken } from "../visit.ts";

/** One for each operation of the Management API that needs a token: a token of the owner's is refused, whatever it names. */
export function tokenCases(operations: readonly Operation[]): readonly Definition[] {
  return operations.map((operation) => ({
    name: `token: ${operation.title}`,
    run: async (room) => replayToken(operation, room, await room.owner.token()),
  }));
}

/** One for each operation of the Auth API that a person's token opens. */
export function personTokenCases(operations: readonly Operation[]): readonly Definition[] {
  return operations
    .filter(({ schemes }) => schemes.includes("bearer"))
    .map((operation) => ({
      name: `token: ${operation.title}`,
      run: async (room) => replayToken(operation, room, await newAccessToken(room.owner)),
    }));
}

async function replayToken({ method, path, body }: Operation, { owner, stranger, own }: Room, token: string): Promise<void> {
  const named = parametersOf(path);
  const ids = named.length === 0 || path.startsWith("/api/v2/") ? await own.fill(path) : path.replaceAll(/\{\w+\}/g, stranger.id);
  const never = path.replaceAll(/\{\w+\}/g, "never-made");
  const ask = async (at: string, headers: { readonly [name: string]: string } = {}): Promise<string> => {
    const answer = await stranger.call(method, at, {
      token,
      headers,
      ...(body?.types.includes("application/json") === true ? { body: {} } : body !== undefined && { form: {} }),
    });
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
