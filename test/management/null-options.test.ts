import { beforeAll, describe, expect, test } from "vitest";
import { describeSchemas } from "../../packages/core/src/http/openapi-schema.ts";
import { unknownOptions } from "../../packages/core/src/model/connections/options.ts";
import { strategies } from "../../packages/core/src/model/connections/strategies.ts";
import { jsonBody, managerOf, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

/** An option that is `null` counts as omitted: Auth0's Terraform provider sends `null` for options that are not set. */

const path = "/api/v2/connections";

let service: TestPostern;
let manage: Manager;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

/** The keywords of a JSON Schema that {@link optionalMembers} reads. */
interface Schema {
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

/** Returns the paths of all optional members, at every depth. */
function optionalMembers(
  { properties = {}, required = [], anyOf = [] }: Schema,
  at: readonly string[] = [],
): readonly (readonly string[])[] {
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const inside = [...at, name];
    return [...(required.includes(name) ? [] : [inside]), ...optionalMembers(member, inside)];
  });
  return [...members, ...anyOf.flatMap((branch) => optionalMembers(branch, at))];
}

/** Options that must have other members beside an optional one. */
const samples: JsonBody = {
  attributes: { email: { identifier: { active: true } }, username: { identifier: { active: true } } },
  gateway_authentication: { audience: "gateway", method: "bearer" },
  password_dictionary: { enable: true },
  password_history: { enable: true },
};

/** Returns options in which the member at a path has this value, or is omitted if the value is undefined. */
function optionsWith([name = "", ...rest]: readonly string[], value: unknown, siblings: JsonBody): JsonBody {
  const { [name]: sibling = {}, ...others } = siblings;
  const member = rest.length === 0 ? value : optionsWith(rest, value, sibling as JsonBody);
  return { ...others, ...(member !== undefined && { [name]: member }) };
}

/** Returns the options for a test of the member at a path, with the members that it needs beside it. */
function options(member: readonly string[], value: unknown): JsonBody {
  const [name = ""] = member;
  return optionsWith(member, value, name in samples ? { [name]: samples[name] } : {});
}

const tested = [
  ...Object.entries(strategies).map(([name, { options: schema }]) => [name, schema] as const),
  ["adfs", unknownOptions] as const,
];

describe.each(tested)("the strategy %s", (strategy, schema) => {
  const members = optionalMembers(describeSchemas([schema]).of(schema) as Schema);

  test.each(members.map((member) => [member.join("."), member] as const))("accepts null for %s", async (name, member) => {
    const create = async (value: null | undefined, more: string) => {
      const unique = `${strategy}-${name.replaceAll(/[._]/g, "-")}-${more}`;
      return manage.create(path, { name: unique, strategy, options: options(member, value) });
    };
    const [withNull, without] = [await create(null, "null"), await create(undefined, "omitted")];
    expect(withNull["options"]).toEqual(without["options"]);

    const change = async (made: JsonBody, value: null | undefined) =>
      jsonBody(await manage("PATCH", `${path}/${stringMember(made, "id")}`, { options: options(member, value) }))["options"];
    expect(await change(withNull, null)).toEqual(await change(without, undefined));
  });
});

const secrets: readonly (readonly [strategy: string, stored: JsonBody, withNull: JsonBody])[] = [
  ["oidc", { client_secret: "hush" }, { client_secret: null }],
  ["google-oauth2", { client_secret: "hush", api_token: "hush" }, { client_secret: null, api_token: null }],
  ["apple", { app_secret: "hush" }, { app_secret: null }],
  ["sms", { twilio_token: "hush".repeat(8) }, { twilio_token: null }],
  [
    "sms",
    { gateway_authentication: { audience: "a", method: "bearer", secret: "hush" } },
    { gateway_authentication: { audience: "a", method: "bearer", secret: null } },
  ],
  ["auth0", { configuration: { PASSWORD: "hush" } }, { configuration: null }],
  ["oauth2", { customHeaders: { "x-key": "hush" } }, { customHeaders: null }],
  [
    "samlp",
    { signing_key: { cert: "c", key: "hush" }, decryptionKey: "hush" },
    { signing_key: { cert: "c", key: null }, decryptionKey: null },
  ],
];

test.each(secrets)(
  "a PATCH of a connection of strategy %s with %j keeps the stored secrets if they are null",
  async (strategy, stored, withNull) => {
    const id = stringMember(
      await manage.create(path, { name: `secret-${Object.keys(stored).join("-")}`.replaceAll("_", "-"), strategy, options: stored }),
      "id",
    );
    const read = async () => (await service.data.collections.connections.find({ where: { tenant_id: "main", id }, limit: 1 }))[0]?.secrets;
    const before = await read();
    expect(Object.keys(before ?? {})).not.toEqual([]);
    expect(await manage("PATCH", `${path}/${id}`, { options: withNull })).toMatchObject({ status: 200 });
    expect(await read()).toEqual(before);
  },
);

test("null stays a value inside options whose content the caller defines", async () => {
  const upstream_params = { hint: { alias: null } };
  const made = await manage.create(path, { name: "free", strategy: "oidc", options: { upstream_params, oidc_metadata: { x: null } } });
  expect(made["options"]).toMatchObject({ upstream_params, oidc_metadata: { x: null } });
});
