import { describe, expect, test } from "vitest";
import { roleNames } from "./role-names.ts";

const named = (names: { readonly [id: string]: string }) => Object.entries(names).map(([id, name]) => ({ id, name }));
const copied = (names: { readonly [id: string]: string }) => new Map(named(names).map((role) => [role.id, role]));

describe("roleNames", () => {
  test("gives each copy the name of its original", () => {
    expect(roleNames(named({ a: "A", b: "B" }), copied({ a: "B", b: "A" }), new Set())).toEqual(
      new Map([
        ["a", "A"],
        ["b", "B"],
      ]),
    );
  });

  test("skips a new copy whose name one of the tenant's own roles has", () => {
    expect(roleNames(named({ a: "A", b: "B" }), copied({}), new Set(["A"]))).toEqual(new Map([["b", "B"]]));
  });

  test("keeps the current name of a copy whose new name is taken, and of further copies whose new names are taken as a result", () => {
    // Copy a keeps "x", so b cannot have it and keeps "y", so c cannot have it. d is new and cannot have the name of c.
    const roles = named({ a: "Own", b: "x", c: "y", d: "z" });
    expect(roleNames(roles, copied({ a: "x", b: "y", c: "z" }), new Set(["Own"]))).toEqual(
      new Map([
        ["a", "x"],
        ["b", "y"],
        ["c", "z"],
      ]),
    );
  });
});
