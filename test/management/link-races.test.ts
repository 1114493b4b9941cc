import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { managerOf, object, text, type Manager } from "../support/api.ts";
import { createTestPostern, type Answer } from "../support/postern.ts";

const names = ["a", "b", "c"] as const;
type Name = (typeof names)[number];

interface Scene {
  readonly data: PausingAdapter;
  readonly manage: Manager;
  readonly ids: { readonly [name in Name]: string };
}

async function openScene(): Promise<Scene> {
  const data = pausingAdapter(createMemoryAdapter({ strict: true }));
  const manage = await managerOf(await createTestPostern({ data }));
  const create = async (name: Name): Promise<string> =>
    text(
      await manage.create("/api/v2/users", { connection: "Username-Password-Authentication", email: `${name}@example.test` }),
      "user_id",
    );
  return { data, manage, ids: { a: await create("a"), b: await create("b"), c: await create("c") } };
}

const at = (userId: string): string => `/api/v2/users/${encodeURIComponent(userId)}`;
const own = (userId: string): string => userId.split("|")[1] ?? "";

type Act = (scene: Scene) => Promise<Answer>;

const link =
  (to: Name, account: Name): Act =>
  ({ manage, ids }) =>
    manage("POST", `${at(ids[to])}/identities`, { provider: "auth0", user_id: ids[account] });
const unlink =
  (from: Name, account: Name): Act =>
  ({ manage, ids }) =>
    manage("DELETE", `${at(ids[from])}/identities/auth0/${own(ids[account])}`);
const nothing: Act = ({ manage, ids }) => manage("GET", at(ids.a));

/** Every account is a user, or an account of exactly one user; no user is an account; and the store counts what the API shows. */
async function check({ manage, ids, data }: Scene): Promise<void> {
  const seen: string[] = [];
  for (const name of names) {
    const answer = await manage("GET", at(ids[name]));
    if (answer.status === 404) continue;
    const identities = [object(answer)["identities"]].flat().map((identity) => text({ ...Object(identity) }, "user_id"));
    expect(identities[0]).toBe(own(ids[name]));
    seen.push(...identities);
  }
  expect(seen.toSorted()).toEqual(names.map((name) => own(ids[name])).toSorted());
  const rows = await data.collections.users.find({ where: { tenant_id: "main" }, limit: 10 });
  for (const row of rows) expect(row.linked_count, row.email).toBe(rows.filter(({ linked_to: to }) => to === row.user_id).length);
}

/** One runs through inside of each gap between the writes of the other. */
async function interleaveAll(before: Act, held: Act, through: Act): Promise<void> {
  const known = await openScene();
  await before(known);
  for (const moment of decisiveMomentsOf(await known.data.writesOf(() => held(known)))) {
    const scene = await openScene();
    await before(scene);
    const answers = await scene.data.interleave(
      moment,
      () => held(scene),
      () => through(scene),
    );
    for (const { status } of answers) expect([200, 201, 400, 404, 409]).toContain(status);
    await check(scene);
  }
}

test.each<readonly [string, Act, Act, Act]>([
  ["a link, and one that takes its user away", nothing, link("a", "b"), link("c", "a")],
  ["a link, and one that takes its account away", nothing, link("a", "b"), link("c", "b")],
  ["a link, and its reverse", nothing, link("a", "b"), link("b", "a")],
  ["a link, and the same", nothing, link("a", "b"), link("a", "b")],
  ["a link, and one of another account", nothing, link("a", "b"), link("a", "c")],
  ["an unlink, and the same", link("a", "b"), unlink("a", "b"), unlink("a", "b")],
  ["an unlink, and a link of another account", link("a", "b"), unlink("a", "b"), link("a", "c")],
])("%s: one runs through inside of each gap of the other, and nobody is lost or two at once", async (_, before, first, second) => {
  await interleaveAll(before, first, second);
  await interleaveAll(before, second, first);
});

// Not the other way round: while the account is linked, the link is refused before it writes anything.
test("an unlink, and a link that takes the account inside of each of its gaps: nobody is lost or two at once", async () => {
  await interleaveAll(link("a", "b"), unlink("a", "b"), link("c", "b"));
});
