import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import type { Row } from "../../store/schema.ts";
import { consumeTicket, createTicket, findTicket, replaceTicket, stateOfTicket, type StoredTicket } from "./ticket.ts";

let logins: Logins;
let ann: Row<"users">;

beforeEach(async () => {
  logins = await createLogins();
  ann = await logins.addUser({ email: "ann@example.com" });
});

const make = (more: Partial<Parameters<typeof createTicket>[1]> = {}): Promise<string> =>
  createTicket(logins.tenant, { purpose: "reset-password", user: ann, ...more });

async function found(text: string, purpose: "reset-password" | "verify-email" = "reset-password"): Promise<StoredTicket> {
  const ticket = await findTicket(logins.data, purpose, text);
  if (ticket === undefined) throw new Error("no such ticket");
  return ticket;
}

test("a ticket contains the id of its tenant, is found by its text, and is not stored in plain text", async () => {
  const text = await make({ clientId: "app" });
  expect(text).toMatch(/^t1\.[A-Za-z0-9]{32}$/);
  const ticket = await found(text);
  expect(ticket).toMatchObject({ purpose: "reset-password", user_id: ann.user_id, client_id: "app", consumed_at: null });
  expect(JSON.stringify(await logins.data.tickets.find({ where: {}, limit: 10 }))).not.toContain(text.slice(3));
});

test.each([
  ["a ticket with the id of another tenant", (text: string) => text.replace("t1.", "t2.")],
  ["a ticket without the id of its tenant", (text: string) => text.slice(3)],
  ["a ticket with a changed character", (text: string) => `${text.slice(0, -1)}-`],
  ["an empty ticket", () => ""],
  ["the id of a tenant without a secret", () => "t1."],
])("%s is not found", async (_which, change) => {
  expect(await findTicket(logins.data, "reset-password", change(await make()))).toBeUndefined();
});

test("a ticket for one purpose is not found for another purpose", async () => {
  expect(await findTicket(logins.data, "verify-email", await make())).toBeUndefined();
});

test.each([
  ["five days by default", {}, "119h", "2h"],
  ["for the lifetime that it was created with", { lifetimeSeconds: 3600 }, "59m", "2m"],
] as const)("a ticket is valid %s", async (_text, more, before, after) => {
  const ticket = await found(await make(more));
  logins.clock.advance(before);
  expect(stateOfTicket(logins.tenant, ticket, ann)).toBe("good");
  logins.clock.advance(after);
  expect(stateOfTicket(logins.tenant, ticket, ann)).toBe("expired");
  expect(await consumeTicket(logins.tenant, ticket)).toBe(false);
});

test("a ticket for a password reset becomes void when the account's password changes, and every ticket when its email address changes", async () => {
  const reset = await found(await make());
  const verify = await found(await make({ purpose: "verify-email" }), "verify-email");
  const withPassword = { ...ann, password_id: "pwd_new" };
  expect(stateOfTicket(logins.tenant, reset, withPassword)).toBe("void");
  expect(stateOfTicket(logins.tenant, verify, withPassword)).toBe("good");
  for (const ticket of [reset, verify]) {
    expect(stateOfTicket(logins.tenant, ticket, { ...ann, email: "ANN@example.com" })).toBe("good");
    expect(stateOfTicket(logins.tenant, ticket, { ...ann, email: "other@example.com" })).toBe("void");
  }
});

test("of 32 parallel calls that use a ticket, one succeeds", async () => {
  const text = await make();
  const ticket = await found(text);
  const outcomes = await Promise.all(Array.from({ length: 32 }, () => consumeTicket(logins.tenant, ticket)));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(stateOfTicket(logins.tenant, await found(text), ann)).toBe("used");
});

test("of 32 parallel calls that replace an expired ticket, one succeeds, and no later call does until the new ticket expires", async () => {
  const text = await make();
  const count = (): Promise<number> => logins.data.tickets.count({ user_id: ann.user_id });
  const before = await count();
  logins.clock.advance("6d");
  for (const round of [1, 2]) {
    const ticket = await found(text);
    expect(stateOfTicket(logins.tenant, ticket, ann)).toBe("expired");
    const made = await Promise.all(Array.from({ length: 32 }, () => replaceTicket(logins.tenant, ticket, ann)));
    const [another, ...others] = made.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(stateOfTicket(logins.tenant, await found(another ?? ""), ann)).toBe("good");
    expect(await count()).toBe(before + round);
    logins.clock.advance("59m");
    expect(stateOfTicket(logins.tenant, await found(text), ann)).toBe("replaced");
    logins.clock.advance("2m");
  }
});
