import { compare } from "../compare.ts";
import type { Definition, Room } from "../definition.ts";
import { newStand, replayAt, type Thing } from "../replay-at.ts";
import { things, type Owned } from "../things.ts";

/** One for each kind of thing that a tenant gives: at every place of the Auth API, and where a token is data of the Management API. */
export const thingCases: readonly Definition[] = Object.entries(things).map(([name, make]) => ({
  name: `${name}: wherever the Auth API takes text`,
  run: async (room) => replay(await make(room), room),
}));

async function replay({ thing, email, check }: Owned, room: Room): Promise<void> {
  const comparison = compare(room, email);
  const stand = await newStand(room, email);
  const named = renamed(thing, room);
  for (const operation of room.auth.operations) await replayAt(operation, stand, comparison, named);
  comparison.end();
  // It was worth the try, and the tries have harmed nothing.
  await check();
}

/** Cookies have their tenant in their names: sent under the stranger's as well. */
function renamed(thing: Thing, { owner, stranger }: Room): Thing {
  if (thing.cookies === undefined) return thing;
  const others = [...thing.cookies].map(([name, value]) => [name.replace(owner.id, stranger.id), value] as const);
  return { ...thing, cookies: new Map([...thing.cookies, ...others]) };
}
