import { describe, expect, test } from "vitest";
import { roleNames } from "./role-names.ts";

const named = (names: { readonly [id: string]: string }) => Object.entries(names).map(([id, name]) => ({ id, name }));
const copied = (names: { readonly [id: string]: string }) => new Map(named(names).map((role) => [role.id, role]));

describe("roleNames", () => {
  test("gives each copy the name of its role", () => {
    expect(roleNames(named({ a: "A", b: "B" }), copied({ a: "B", b: "A" }), new Set())).toEqual(
      new Map([
        ["a", "A"],
        ["b", "B"],
      ]),
    );
  });

  test("leaves a new copy out whose name is a role's of the tenant's own", () => {
    expect(roleNames(named({ a: "A", b: "B" }), copied({}), new Set(["A"]))).toEqual(new Map([["b", "B"]]));
  });

  test("leaves a copy its name where the new one is taken, and keeps that from others, one after the other", () => {
    // a keeps "x", which b was to have; b keeps "y", which c was to have; d is new and was to be called as c is.
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
