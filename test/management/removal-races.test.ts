import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test } from "vitest";
import { decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { list, object, text } from "../support/api.ts";
import { openService, type LoginService } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import type { Answer } from "../support/postern.ts";

const api = "https://api.example.test/";
const encoded = encodeURIComponent;

/** A user, and what others may do with them while they are removed. */
interface Scene {
  readonly data: PausingAdapter;
  readonly service: LoginService;
  readonly token: string;
  readonly user: string;
  readonly role: string;
  readonly organization: string;
  readonly client: string;
}

async function openScene(): Promise<Scene> {
  const data = pausingAdapter(createMemoryAdapter({ strict: true }));
  const service = await openService({ data });
  const { manage, ada } = service;
  const organizations = organizationsBy(manage);
  await organizations.createApi(api, "read:things");
  const role = await organizations.createRole("Reader", api, "read:things");
  const { clientId: client } = await service.register({ app_type: "native", grant_types: ["password", "refresh_token"] });
  const organization = await organizations.create("acme");
  return { data, service, token: await service.token(), user: `/api/v2/users/${encoded(ada.userId)}`, role, organization, client };
}

type Act = (scene: Scene) => Promise<Answer>;

const call =
  (method: string, path: (scene: Scene) => string, body: (scene: Scene) => unknown): Act =>
  (scene) =>
    scene.service.call(method, path(scene), { token: scene.token, body: body(scene) });
const permissions = [{ resource_server_identifier: api, permission_name: "read:things" }];

const writes: { readonly [name: string]: Act } = {
  "a change": call(
    "PATCH",
    ({ user }) => user,
    () => ({ name: "Changed", app_metadata: { plan: "gold" } }),
  ),
  "a role given to them": call(
    "POST",
    ({ user }) => `${user}/roles`,
    ({ role }) => ({ roles: [role] }),
  ),
  "a role given to users": call(
    "POST",
    ({ role }) => `/api/v2/roles/${role}/users`,
    ({ service }) => ({ users: [service.ada.userId] }),
  ),
  "a permission": call(
    "POST",
    ({ user }) => `${user}/permissions`,
    () => ({ permissions }),
  ),
  "a membership": call(
    "POST",
    ({ organization }) => `/api/v2/organizations/${organization}/members`,
    ({ service }) => ({ members: [service.ada.userId] }),
  ),
  "a link to them": call(
    "POST",
    ({ user }) => `${user}/identities`,
    ({ service }) => ({ provider: "auth0", user_id: service.bob.userId }),
  ),
  "a link of theirs": call(
    "POST",
    ({ service }) => `/api/v2/users/${encoded(service.bob.userId)}/identities`,
    ({ service }) => ({ provider: "auth0", user_id: service.ada.userId }),
  ),
};

const remove: Act = ({ service, token, user }) => service.call("DELETE", user, { token });

/** Nobody is brought back, nobody else is lost, and who comes under the same name has nothing of the one who went. */
async function check({ service, user, role, organization }: Scene): Promise<void> {
  const { manage, ada, bob } = service;
  expect(await manage("GET", user)).toMatchObject({ status: 404 });
  const other = await manage("GET", `/api/v2/users/${encoded(bob.userId)}`);
  // Linked in time they are an account of another user, and no user to be removed.
  if (other.status === 200 && [object(other)["identities"]].flat().length === 2) return;
  const connection = "Username-Password-Authentication";
  const again = { connection, email: ada.email, user_id: ada.userId.split("|")[1] };
  expect(object(await manage("POST", "/api/v2/users", again), 201)).toMatchObject({
    user_id: ada.userId,
    app_metadata: {},
    identities: [{}],
  });
  for (const what of ["roles", "permissions", "organizations", "sessions", "refresh-tokens"])
    expect(list(await manage("GET", `${user}/${what}`)), what).toEqual([]);
  expect(object(await manage("GET", `/api/v2/roles/${role}/users?include_totals=true`))).toMatchObject({ users: [], total: 0 });
  expect(object(await manage("GET", `/api/v2/organizations/${organization}/members?include_totals=true`))).toMatchObject({
    members: [],
    total: 0,
  });

  // Whoever was linked in time went with their primary, and their address with them.
  if (other.status === 404) text(await manage.create("/api/v2/users", { connection, email: bob.email }), "user_id");
}

/** What nobody is a member of any more, and what nobody has, is in no list and no total. */
async function checkLists({ service, user }: Scene): Promise<void> {
  for (const what of ["roles", "organizations"])
    expect(object(await service.manage("GET", `${user}/${what}?include_totals=true`))).toMatchObject({ [what]: [], total: 0 });
}

async function settle(answers: readonly Answer[]): Promise<void> {
  for (const { status, body } of answers) expect([200, 201, 204, 404, 409], JSON.stringify(body)).toContain(status);
}

describe.each(Object.entries(writes))("the removal of a user beside %s", (_, write) => {
  test("as a whole, inside of each gap between its writes", { timeout: 60_000 }, async () => {
    const first = await openScene();
    const moments = decisiveMomentsOf(await first.data.writesOf(async () => expect((await write(first)).status).toBeLessThan(300)));
    for (const at of moments) {
      const scene = await openScene();
      await settle(
        await scene.data.interleave(
          at,
          () => write(scene),
          () => remove(scene),
        ),
      );
      await check(scene);
    }
  });

  test("with it inside of each gap between the removal's own writes", { timeout: 60_000 }, async () => {
    const first = await openScene();
    const moments = decisiveMomentsOf(await first.data.writesOf(() => remove(first)));
    for (const at of moments) {
      const scene = await openScene();
      await settle(
        await scene.data.interleave(
          at,
          () => remove(scene),
          () => write(scene),
        ),
      );
      await check(scene);
    }
  });
});

const others: readonly (readonly [string, (scene: Scene) => string, Act])[] = [
  ["an organization beside a membership", ({ organization }) => `/api/v2/organizations/${organization}`, writes["a membership"] ?? remove],
  ["a role beside giving it to a user", ({ role }) => `/api/v2/roles/${role}`, writes["a role given to them"] ?? remove],
  ["a role beside giving it to users", ({ role }) => `/api/v2/roles/${role}`, writes["a role given to users"] ?? remove],
];

test.each(others)("the removal of %s leaves nothing in lists and totals", { timeout: 60_000 }, async (_, path, write) => {
  const removal: Act = (scene) => scene.service.call("DELETE", path(scene), { token: scene.token });
  for (const [held, through] of [
    [write, removal],
    [removal, write],
  ] as const) {
    const known = await openScene();
    for (const at of decisiveMomentsOf(await known.data.writesOf(() => held(known)))) {
      const scene = await openScene();
      await settle(
        await scene.data.interleave(
          at,
          () => held(scene),
          () => through(scene),
        ),
      );
      await checkLists(scene);
    }
  }
});
