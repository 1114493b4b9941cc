import { expect, test } from "vitest";
import { listResponseOf, members, resolve, type Schema } from "../../packages/testing/src/isolation/document.ts";
import { apiDescriptions } from "./description.ts";

/** Responses that may have additional members by RFC 7662, OpenID Connect Core 5.3.2, RFC 8414 and RFC 7517. */
const openByStandard = [
  "/oauth/introspect",
  "/userinfo",
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
  "/.well-known/jwks.json",
];

test.each(Object.entries(apiDescriptions))(
  "the %s OpenAPI document declares every member of each response",
  (_, { operations, document }) => {
    const openObjects = new Set<string>();
    const seen = new Set<unknown>();

    /** Finds objects that declare members and allow undeclared ones. */
    const visit = (schema: Schema, at: string): void => {
      const { $ref } = schema;
      // Visits each reference once. Skips the schema of OpenAPI documents, which the OpenAPI specification defines.
      if (seen.has($ref ?? schema) || $ref === "#/components/schemas/OpenApiDocument") return;
      seen.add($ref ?? schema);
      const resolved = resolve(document, schema);
      const additional = resolved["additionalProperties"];
      const isOpen = additional === undefined || additional === true || Object.keys(members(additional)).length === 0;
      if ("properties" in resolved && additional !== false && isOpen) openObjects.add(at);
      for (const [name, property] of Object.entries(members(resolved["properties"]))) visit(members(property), `${at}.${name}`);
      if ("items" in resolved) visit(members(resolved["items"]), `${at}[]`);
      for (const branch of [
        ...listResponseOf(resolved["anyOf"]),
        ...listResponseOf(resolved["oneOf"]),
        ...listResponseOf(resolved["allOf"]),
      ])
        visit(members(branch), at);
    };
    for (const { title, path, replies } of operations) {
      if (openByStandard.includes(path)) continue;
      for (const [status, types] of replies) {
        const pointer = types.get("application/json");
        if (pointer !== undefined) visit(schemaAt(document, pointer), `${title} ${status}`);
      }
    }
    expect(seen.size).toBeGreaterThan(5);
    expect([...openObjects]).toEqual([]);
  },
);

function schemaAt(root: unknown, pointer: string): Schema {
  const names = pointer
    .slice(2)
    .split("/")
    .map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"));
  return members(names.reduce((value: unknown, name) => members(value)[name], root));
}
