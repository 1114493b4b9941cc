import { beforeEach, describe, expect, test } from "vitest";
import { list, managerOf, object, text, type Json } from "../support/api.ts";
import { openInheritance, type Inheritance } from "../support/lending.ts";

const database = "Username-Password-Authentication";

let lending: Inheritance;
beforeEach(async () => {
  lending = await openInheritance();
});

const databaseOf = async (manage: Inheritance["main"]): Promise<Json> => {
  const [found] = list(await manage("GET", `/api/v2/connections?name=${database}`));
  if (found === undefined) throw new Error("no database");
  return found;
};
let number = 0;
const enroll = (password: string) =>
  lending.other("POST", "/api/v2/users", { connection: database, email: `p${++number}@example.test`, password });

describe("rules for passwords", () => {
  test("are the control plane's where the tenant has none, from its next change on, and shown as the control plane's alone", async () => {
    expect(await enroll("correct horse battery")).toMatchObject({ status: 201 });
    const { id } = await databaseOf(lending.main);
    object(
      await lending.main("PATCH", `/api/v2/connections/${String(id)}`, {
        options: { password_dictionary: { enable: true, dictionary: ["correct horse battery"] } },
      }),
    );
    expect(await enroll("correct horse battery")).toMatchObject({ status: 400 });
    expect(await enroll("another horse battery")).toMatchObject({ status: 201 });
    expect((await databaseOf(lending.other))["options"]).not.toHaveProperty("password_dictionary");
  });

  test("are the tenant's own where it has any", async () => {
    const [mains, others] = [await databaseOf(lending.main), await databaseOf(lending.other)];
    object(await lending.main("PATCH", `/api/v2/connections/${text(mains, "id")}`, { options: { passwordPolicy: "excellent" } }));
    object(await lending.other("PATCH", `/api/v2/connections/${text(others, "id")}`, { options: { passwordPolicy: "low" } }));
    expect(await enroll("battery horse")).toMatchObject({ status: 201 });
    object(await lending.other("PATCH", `/api/v2/connections/${text(others, "id")}`, { options: {} }));
    expect(await enroll("battery horse")).toMatchObject({ status: 400 });
  });

  test("stay with a control plane that keeps them to itself", async () => {
    const { id } = await databaseOf(lending.main);
    const options = { password_dictionary: { enable: true, dictionary: ["correct horse battery"] } };
    object(await lending.main("PATCH", `/api/v2/connections/${String(id)}`, { options, metadata: { sync: "false" } }));
    expect(await enroll("correct horse battery")).toMatchObject({ status: 201 });
  });
});

test("a control plane that closes its sign-up closes nobody else's", async () => {
  const { id } = await databaseOf(lending.main);
  object(await lending.main("PATCH", `/api/v2/connections/${String(id)}`, { options: { disable_signup: true } }));
  const clientId = text(await lending.other.create("/api/v2/clients", { name: "App", app_type: "spa" }), "client_id");
  const body = { client_id: clientId, connection: database, email: "new@example.test", password: "correct horse battery" };
  expect(await lending.service.call("POST", "/dbconnections/signup", { body })).toMatchObject({ status: 200 });
});

test("a connection that the tenant does not have is not offered", async () => {
  await lending.main.create("/api/v2/connections", { name: "shared", strategy: "google-oauth2", options: { client_id: "main" } });
  const client = text(await lending.other.create("/api/v2/clients", { name: "App" }), "client_id");
  const offered = list(await lending.other("GET", `/api/v2/clients/${client}/connections`), "connections");
  expect(offered.map(({ name }) => name)).toEqual([database]);
});

test("codes are as long as the control plane says, where the tenant does not say how long", async () => {
  const sent: { readonly code?: string }[] = [];
  lending = await openInheritance({ messages: { mail: { send: async (mail) => void sent.push(mail) } } });
  const totp = { length: 9, time_step: 120 };
  await lending.main.create("/api/v2/connections", { name: "email", strategy: "email", options: { totp, disable_signup: true } });
  const { id } = await lending.other.create("/api/v2/connections", { name: "email", strategy: "email" });
  const { client_id: clientId } = await lending.other.create("/api/v2/clients", { name: "App", app_type: "spa" });
  const start = async (): Promise<number | undefined> => {
    const body = { client_id: clientId, connection: "email", email: `p${++number}@example.test`, send: "code" };
    object(await lending.service.call("POST", "/passwordless/start", { body }));
    return sent.at(-1)?.code?.length;
  };
  // Whoever is new gets a code too: who may sign up is the tenant's own to say.
  expect(await start()).toBe(9);
  object(await lending.other("PATCH", `/api/v2/connections/${String(id)}`, { options: { totp: { length: 5, time_step: 120 } } }));
  expect(await start()).toBe(5);
});

test("two processes see a change within five seconds, and the one that made it at once", async () => {
  const { data, clock } = lending.service;
  const second = await openInheritance({ data, testing: { clock } });
  const enrollThere = async () =>
    (await managerOf(second.service, "other"))("POST", "/api/v2/users", {
      connection: database,
      email: `p${++number}@example.test`,
      password: "battery horse",
    });
  expect(await enrollThere()).toMatchObject({ status: 201 });
  const { id } = await databaseOf(lending.main);
  const options = { password_dictionary: { enable: true, dictionary: ["battery horse"] } };
  object(await lending.main("PATCH", `/api/v2/connections/${String(id)}`, { options }));
  expect(await enroll("battery horse")).toMatchObject({ status: 400 });
  clock.advance("5s");
  expect(await enrollThere()).toMatchObject({ status: 400 });
});
