import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test } from "vitest";
import { decisiveMomentsOf } from "../servers/support/around-writes.ts";
import { pausingAdapter, type PausingAdapter } from "../servers/support/pausing-adapter.ts";
import { list, jsonBody, stringMember } from "../support/api.ts";
import { openService, type LoginService } from "../support/flow.ts";
import { sampled } from "../support/nightly.ts";
import { organizationsBy } from "../support/organizations.ts";
import type { ApiResponse } from "../support/postern.ts";

const api = "https://api.example.test/";
const encoded = encodeURIComponent;

/** A user that is removed, and the resources of the parallel requests. */
interface Setup {
  readonly data: PausingAdapter;
  readonly service: LoginService;
  readonly token: string;
  readonly user: string;
  readonly role: string;
  readonly organization: string;
  readonly client: string;
}

async function createSetup(): Promise<Setup> {
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

type Operation = (scene: Setup) => Promise<ApiResponse>;

const call =
  (method: string, path: (scene: Setup) => string, body: (scene: Setup) => unknown): Operation =>
  (scene) =>
    scene.service.call(method, path(scene), { token: scene.token, body: body(scene) });
const permissions = [{ resource_server_identifier: api, permission_name: "read:things" }];

const writes: { readonly [name: string]: Operation } = {
  "an update of the user": call(
    "PATCH",
    ({ user }) => user,
    () => ({ name: "Changed", app_metadata: { plan: "gold" } }),
  ),
  "a role assignment to the user": call(
    "POST",
    ({ user }) => `${user}/roles`,
    ({ role }) => ({ roles: [role] }),
  ),
  "a role assignment to users": call(
    "POST",
    ({ role }) => `/api/v2/roles/${role}/users`,
    ({ service }) => ({ users: [service.ada.userId] }),
  ),
  "a permission of the user": call(
    "POST",
    ({ user }) => `${user}/permissions`,
    () => ({ permissions }),
  ),
  "a membership": call(
    "POST",
    ({ organization }) => `/api/v2/organizations/${organization}/members`,
    ({ service }) => ({ members: [service.ada.userId] }),
  ),
  "a link of an account to the user": call(
    "POST",
    ({ user }) => `${user}/identities`,
    ({ service }) => ({ provider: "auth0", user_id: service.bob.userId }),
  ),
  "a link of the user to another user": call(
    "POST",
    ({ service }) => `/api/v2/users/${encoded(service.bob.userId)}/identities`,
    ({ service }) => ({ provider: "auth0", user_id: service.ada.userId }),
  ),
};

const remove: Operation = ({ service, token, user }) => service.call("DELETE", user, { token });

/**
 * Expects that the user is removed, that no other user is lost, and that a new user with the same id has nothing of the
 * old one.
 */
async function check({ service, user, role, organization }: Setup): Promise<void> {
  const { manage, ada, bob } = service;
  expect(await manage("GET", user)).toMatchObject({ status: 404 });
  const other = await manage("GET", `/api/v2/users/${encoded(bob.userId)}`);
  // If the link came first, the user is a linked account of another user and was not removed.
  if (other.status === 200 && [jsonBody(other)["identities"]].flat().length === 2) return;
  const connection = "Username-Password-Authentication";
  const newUser = { connection, email: ada.email, user_id: ada.userId.split("|")[1] };
  expect(jsonBody(await manage("POST", "/api/v2/users", newUser), 201)).toMatchObject({
    user_id: ada.userId,
    app_metadata: {},
    identities: [{}],
  });
  for (const listName of ["roles", "permissions", "organizations", "sessions", "refresh-tokens"])
    expect(list(await manage("GET", `${user}/${listName}?per_page=1`)), listName).toEqual([]);
  expect(jsonBody(await manage("GET", `/api/v2/roles/${role}/users?include_totals=true`))).toMatchObject({ users: [], total: 0 });
  expect(jsonBody(await manage("GET", `/api/v2/organizations/${organization}/members?include_totals=true`))).toMatchObject({
    members: [],
    total: 0,
  });

  // If Bob was linked first, he was removed with his primary user, and his email address is free.
  if (other.status === 404) stringMember(await manage.create("/api/v2/users", { connection, email: bob.email }), "user_id");
}

/** Expects that lists and totals contain neither the removed resource nor its assignments. */
async function checkLists({ service, user }: Setup): Promise<void> {
  for (const listName of ["roles", "organizations"])
    expect(jsonBody(await service.manage("GET", `${user}/${listName}?include_totals=true`))).toMatchObject({ [listName]: [], total: 0 });
}

async function expectSettled(answers: readonly ApiResponse[]): Promise<void> {
  for (const { status, body } of answers) expect([200, 201, 204, 404, 409], JSON.stringify(body)).toContain(status);
}

describe.each(Object.entries(writes))("the removal of a user parallel to %s", (_, write) => {
  test("is consistent if it runs between any two writes of the other request", { timeout: 60_000 }, async () => {
    const first = await createSetup();
    const moments = decisiveMomentsOf(await first.data.writesOf(async () => expect((await write(first)).status).toBeLessThan(300)));
    for (const at of sampled("pauses", moments)) {
      const scene = await createSetup();
      await expectSettled(
        await scene.data.interleave(
          at,
          () => write(scene),
          () => remove(scene),
        ),
      );
      await check(scene);
    }
  });

  test("is consistent if the other request runs between any two of its writes", { timeout: 60_000 }, async () => {
    const first = await createSetup();
    const moments = decisiveMomentsOf(await first.data.writesOf(() => remove(first)));
    for (const at of sampled("pauses", moments)) {
      const scene = await createSetup();
      await expectSettled(
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

const others: readonly (readonly [string, (scene: Setup) => string, Operation])[] = [
  [
    "an organization parallel to a new membership",
    ({ organization }) => `/api/v2/organizations/${organization}`,
    writes["a membership"] ?? remove,
  ],
  ["a role parallel to its assignment to a user", ({ role }) => `/api/v2/roles/${role}`, writes["a role assignment to the user"] ?? remove],
  ["a role parallel to its assignment to users", ({ role }) => `/api/v2/roles/${role}`, writes["a role assignment to users"] ?? remove],
];

test.each(others)("the removal of %s leaves nothing in lists and totals", { timeout: 60_000 }, async (_, path, write) => {
  const removal: Operation = (scene) => scene.service.call("DELETE", path(scene), { token: scene.token });
  for (const [paused, other] of [
    [write, removal],
    [removal, write],
  ] as const) {
    const initial = await createSetup();
    for (const at of sampled("pauses", decisiveMomentsOf(await initial.data.writesOf(() => paused(initial))))) {
      const scene = await createSetup();
      await expectSettled(
        await scene.data.interleave(
          at,
          () => paused(scene),
          () => other(scene),
        ),
      );
      await checkLists(scene);
    }
  }
});
