import { expect, test } from "vitest";
import { listOf, members, resolve, type Schema } from "../../packages/testing/src/isolation/document.ts";
import { descriptions } from "./description.ts";

/** Replies that standards leave open to members of an installation's own: RFC 7662, OpenID Connect Core 5.3.2, RFC 8414, RFC 7517. */
const openByStandard = [
  "/oauth/introspect",
  "/userinfo",
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
  "/.well-known/jwks.json",
];

test.each(Object.entries(descriptions))("replies of the %s document name all their members", (_, { operations, document }) => {
  const found = new Set<string>();
  const seen = new Set<unknown>();

  /** An object that names members and lets in others that it says nothing about. */
  const look = (schema: Schema, at: string): void => {
    const { $ref } = schema;
    // A reference is looked at once, and an OpenAPI document is described by a standard of its own.
    if (seen.has($ref ?? schema) || $ref === "#/components/schemas/OpenApiDocument") return;
    seen.add($ref ?? schema);
    const own = resolve(document, schema);
    const others = own["additionalProperties"];
    const isOpen = others === undefined || others === true || Object.keys(members(others)).length === 0;
    if ("properties" in own && others !== false && isOpen) found.add(at);
    for (const [name, property] of Object.entries(members(own["properties"]))) look(members(property), `${at}.${name}`);
    if ("items" in own) look(members(own["items"]), `${at}[]`);
    for (const branch of [...listOf(own["anyOf"]), ...listOf(own["oneOf"]), ...listOf(own["allOf"])]) look(members(branch), at);
  };
  for (const { title, path, replies } of operations) {
    if (openByStandard.includes(path)) continue;
    for (const [status, types] of replies) {
      const pointer = types.get("application/json");
      if (pointer !== undefined) look(schemaAt(document, pointer), `${title} ${status}`);
    }
  }
  expect(seen.size).toBeGreaterThan(5);
  expect([...found]).toEqual([]);
});

function schemaAt(root: unknown, pointer: string): Schema {
  const names = pointer
    .slice(2)
    .split("/")
    .map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"));
  return members(names.reduce((value: unknown, name) => members(value)[name], root));
}
