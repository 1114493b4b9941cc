import { expect, test } from "vitest";
import * as z from "zod";
import { createClientSchema } from "../model/clients/bodies.ts";
import { createLogStreamSchema } from "../model/logs/log-streams.ts";
import { setPageTemplateSchema } from "../model/tenant/page-template.ts";
import { createPasswordTicketSchema } from "../model/tickets/tickets.ts";
import { parseInput } from "./validation.ts";

const fields = z.strictObject({
  text: z.string().min(1).max(3),
  word: z.enum(["one", "two"]),
  only: z.literal("one"),
  empty: z.union([z.literal(""), z.email()]),
  count: z.int().min(1).max(9),
  positive: z.number().positive(),
  flag: z.boolean(),
  list: z.array(z.string()).max(1),
  pair: z.array(z.string()).length(2),
  map: z.record(z.string().max(3), z.string()),
  either: z.union([z.boolean(), z.strictObject({ on: z.string() })]),
  url: z.url(),
  code: z.string().regex(/^[A-Z]+$/),
});

test.each([
  [{ text: 1 }, "'text' must be a string"],
  [{ text: "" }, "'text' must not be empty"],
  [{ text: "long" }, "'text' must have at most 3 characters"],
  [{ word: "three" }, "'word' must be one of one, two"],
  [{ only: "two" }, "'only' must be one"],
  [{ empty: 1 }, "'empty' must be \"\" or a string"],
  [{ empty: "x" }, "'empty' must be an email address"],
  [{ count: 0 }, "'count' must be at least 1"],
  [{ count: 10 }, "'count' must be at most 9"],
  [{ count: 1.5 }, "'count' must be a whole number"],
  [{ positive: 0 }, "'positive' must be more than 0"],
  [{ flag: "true" }, "'flag' must be a boolean"],
  [{ list: {} }, "'list' must be an array"],
  [{ list: ["a", "b"] }, "'list' must have at most 1 item"],
  [{ list: [1] }, "'list[0]' must be a string"],
  [{ pair: ["a"] }, "'pair' must have exactly 2 items"],
  [{ map: { long: "a" } }, "the name of 'map.long' must have at most 3 characters"],
  [{ either: 1 }, "'either' must be a boolean or an object"],
  [{ either: { on: 1 } }, "'either.on' must be a string"],
  [{ either: { on: "", off: 1 } }, "unknown field 'either.off'"],
  [{ url: "x" }, "'url' must be a URL"],
  [{ code: "x" }, "'code' must match /^[A-Z]+$/"],
  [{ other: 1 }, "unknown field 'other'"],
  [[], "must be an object"],
])("the error for %j is: %s", async (input, message) => {
  await expect(parseInput(fields.exactPartial(), input, "body")).rejects.toMatchObject({ message: `body: ${message}` });
});

test.each([
  [createPasswordTicketSchema, {}, "must have 'user_id', or 'email' and 'connection_id'"],
  [createPasswordTicketSchema, { email: "ada@example.test" }, "must have 'user_id', or 'email' and 'connection_id'"],
  [createPasswordTicketSchema, { user_id: 1 }, "'user_id' must be a string"],
  [createPasswordTicketSchema, { user_id: "auth0|1", ttl: 1 }, "unknown field 'ttl'"],
  [setPageTemplateSchema, { body: "" }, "'template' is required"],
  [createLogStreamSchema, {}, "'type' is required"],
  [createClientSchema, {}, "'name' is required"],
  [createClientSchema, { name: "App", addons: { nothing: {} } }, "the name of 'addons.nothing' must be the name of an add-on"],
])("the error of the schema %# for %j", async (schema, input, message) => {
  await expect(parseInput<z.ZodType>(schema, input, "body")).rejects.toMatchObject({ message: `body: ${message}` });
});

test("a repeated query parameter is named", async () => {
  await expect(parseInput(fields.exactPartial(), { text: ["a", "b"] }, "query")).rejects.toThrow("query: 'text' is given more than once");
});
