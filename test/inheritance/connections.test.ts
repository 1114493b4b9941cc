import { beforeEach, describe, expect, test } from "vitest";
import { list, managerOf, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { openInheritance, type InheritanceSetup } from "../support/inheritance.ts";

const database = "Username-Password-Authentication";

let inheritance: InheritanceSetup;
beforeEach(async () => {
  inheritance = await openInheritance();
});

const databaseOf = async (manage: InheritanceSetup["main"]): Promise<JsonBody> => {
  const [found] = list(await manage("GET", `/api/v2/connections?name=${database}`));
  if (found === undefined) throw new Error("no database");
  return found;
};
let number = 0;
const addUser = (password: string) =>
  inheritance.other("POST", "/api/v2/users", { connection: database, email: `p${++number}@example.test`, password });

describe("password rules", () => {
  test("inherits changes to the control plane's password rules, and returns the rules only on the control plane", async () => {
    expect(await addUser("correct horse battery")).toMatchObject({ status: 201 });
    const { id } = await databaseOf(inheritance.main);
    jsonBody(
      await inheritance.main("PATCH", `/api/v2/connections/${String(id)}`, {
        options: { password_dictionary: { enable: true, dictionary: ["correct horse battery"] } },
      }),
    );
    expect(await addUser("correct horse battery")).toMatchObject({ status: 400 });
    expect(await addUser("another horse battery")).toMatchObject({ status: 201 });
    expect((await databaseOf(inheritance.other))["options"]).not.toHaveProperty("password_dictionary");
  });

  test("prefers the tenant's own password rules", async () => {
    const [mains, others] = [await databaseOf(inheritance.main), await databaseOf(inheritance.other)];
    jsonBody(
      await inheritance.main("PATCH", `/api/v2/connections/${stringMember(mains, "id")}`, { options: { passwordPolicy: "excellent" } }),
    );
    jsonBody(await inheritance.other("PATCH", `/api/v2/connections/${stringMember(others, "id")}`, { options: { passwordPolicy: "low" } }));
    expect(await addUser("battery horse")).toMatchObject({ status: 201 });
    jsonBody(await inheritance.other("PATCH", `/api/v2/connections/${stringMember(others, "id")}`, { options: {} }));
    expect(await addUser("battery horse")).toMatchObject({ status: 400 });
  });

  test("does not inherit password rules of a connection that the control plane excludes from sync", async () => {
    const { id } = await databaseOf(inheritance.main);
    const options = { password_dictionary: { enable: true, dictionary: ["correct horse battery"] } };
    jsonBody(await inheritance.main("PATCH", `/api/v2/connections/${String(id)}`, { options, metadata: { sync: "false" } }));
    expect(await addUser("correct horse battery")).toMatchObject({ status: 201 });
  });
});

test("does not inherit from the control plane that sign-up is disabled", async () => {
  const { id } = await databaseOf(inheritance.main);
  jsonBody(await inheritance.main("PATCH", `/api/v2/connections/${String(id)}`, { options: { disable_signup: true } }));
  const clientId = stringMember(await inheritance.other.create("/api/v2/clients", { name: "App", app_type: "spa" }), "client_id");
  const body = { client_id: clientId, connection: database, email: "new@example.test", password: "correct horse battery" };
  expect(await inheritance.service.call("POST", "/dbconnections/signup", { body })).toMatchObject({ status: 200 });
});

test("does not offer a connection that exists only on the control plane", async () => {
  await inheritance.main.create("/api/v2/connections", { name: "shared", strategy: "google-oauth2", options: { client_id: "main" } });
  const client = stringMember(await inheritance.other.create("/api/v2/clients", { name: "App" }), "client_id");
  const offered = list(await inheritance.other("GET", `/api/v2/clients/${client}/connections`), "connections");
  expect(offered.map(({ name }) => name)).toEqual([database]);
});

test("inherits the length of one-time codes unless the tenant sets it", async () => {
  const sent: { readonly code?: string }[] = [];
  inheritance = await openInheritance({ messages: { mail: { send: async (mail) => void sent.push(mail) } } });
  const totp = { length: 9, time_step: 120 };
  await inheritance.main.create("/api/v2/connections", { name: "email", strategy: "email", options: { totp, disable_signup: true } });
  const { id } = await inheritance.other.create("/api/v2/connections", { name: "email", strategy: "email" });
  const { client_id: clientId } = await inheritance.other.create("/api/v2/clients", { name: "App", app_type: "spa" });
  const start = async (): Promise<number | undefined> => {
    const body = { client_id: clientId, connection: "email", email: `p${++number}@example.test`, send: "code" };
    jsonBody(await inheritance.service.call("POST", "/passwordless/start", { body }));
    return sent.at(-1)?.code?.length;
  };
  // A new user gets a code as well: `disable_signup` is not inherited.
  expect(await start()).toBe(9);
  jsonBody(await inheritance.other("PATCH", `/api/v2/connections/${String(id)}`, { options: { totp: { length: 5, time_step: 120 } } }));
  expect(await start()).toBe(5);
});

test("applies a change to inherited settings at once in the process that made it, and within five seconds in another process", async () => {
  const { data, clock } = inheritance.service;
  const second = await openInheritance({ data, testing: { clock } });
  const addUserThere = async () =>
    (await managerOf(second.service, "other"))("POST", "/api/v2/users", {
      connection: database,
      email: `p${++number}@example.test`,
      password: "battery horse",
    });
  expect(await addUserThere()).toMatchObject({ status: 201 });
  const { id } = await databaseOf(inheritance.main);
  const options = { password_dictionary: { enable: true, dictionary: ["battery horse"] } };
  jsonBody(await inheritance.main("PATCH", `/api/v2/connections/${String(id)}`, { options }));
  expect(await addUser("battery horse")).toMatchObject({ status: 400 });
  clock.advance("5s");
  expect(await addUserThere()).toMatchObject({ status: 400 });
});
