import { describe, expect, test } from "vitest";
import { table } from "../../../test/search-table.ts";
import { firstUlidAt } from "../ulid.ts";
import type { Filter } from "../contract.ts";
import { matchesFilter } from "../match.ts";
import { compileQuery } from "./compile.ts";
import { QueryError } from "./error.ts";
import { deepestPath, type SearchTable } from "./fields.ts";

const compiled = (q: string) => compileQuery(q, table);
const position = (q: string): number => {
  try {
    compileQuery(q, table);
  } catch (error) {
    if (error instanceof QueryError) return error.position;
    throw error;
  }
  throw new Error(`compiled: ${q}`);
};
const memberOf = (depth: number): string => `app_metadata${".a".repeat(depth)}`;
const utc = (...parts: [number, number, number?, number?, number?, number?]) => {
  const [year, month, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
};

test.each(["a", "[1 TO 2]", ">1", "5"])("rejects a path that is deeper than stored JSON can be: %s", (value) => {
  expect(compiled(`${memberOf(deepestPath)}:${value}`)).toBeDefined();
  expect(position(`name:x ${memberOf(deepestPath + 1)}:${value}`)).toBe(7);
  expect(position(`_exists_:${memberOf(deepestPath + 1)}`)).toBe(9);
});

describe("conditions", () => {
  test.each<[string, Filter]>([
    ["name:Jane", { field: "name", op: "eq", value: "Jane" }],
    ["email:Jane@Example.com", { field: "email", op: "eq", value: "jane@example.com" }],
    ["email:Jane*", { field: "email", op: "prefix", value: "jane" }],
    ["name:*an*", { field: "name", op: "contains", value: "an" }],
    [
      "name:[a TO b}",
      {
        and: [
          { field: "name", op: "gte", value: "a" },
          { field: "name", op: "lt", value: "b" },
        ],
      },
    ],
    ["logins_count:>-3", { field: "logins_count", op: "gt", value: -3 }],
    ['logins_count:"10"', { field: "logins_count", op: "eq", value: 10 }],
    ["blocked:true", { field: "blocked", op: "eq", value: true }],
    ["nickname:*", { field: "nickname", op: "exists" }],
    ["NOT _exists_:nickname", { not: { field: "nickname", op: "exists" } }],
    ["NOT _exists_:last_login", { field: "last_login", op: "eq", value: 0 }],
    ["identities.provider:github", { field: "name", op: "eq", value: "github" }],
    ["plan:gold", { field: "app_metadata", path: ["plan"], op: "eq", value: "gold" }],
    ['app_metadata.plan.name:"gold"', { field: "app_metadata", path: ["plan", "name"], op: "eq", value: "gold" }],
    ["app_metadata.age:[18 TO *]", { field: "app_metadata", path: ["age"], op: "gte", value: 18 }],
    ["app_metadata.x:a*", { field: "app_metadata", path: ["x"], op: "prefix", value: "a" }],
    ["_exists_:app_metadata", { field: "app_metadata", op: "exists" }],
    ["_exists_:app_metadata.__proto__", { field: "app_metadata", path: ["__proto__"], op: "exists" }],
  ])("%s", (q, filter) => expect(compiled(q)).toEqual(filter));

  test("an unquoted number or boolean in metadata also matches the same text, and a quoted one matches only text", () => {
    const leaf = (value: string | number | boolean): Filter => ({ field: "app_metadata", path: ["x"], op: "eq", value });
    expect(compiled("app_metadata.x:5")).toEqual({ or: [leaf(5), leaf("5")] });
    expect(compiled("app_metadata.x:-1.50")).toEqual({ or: [leaf(-1.5), leaf("-1.50")] });
    expect(compiled("app_metadata.x:true")).toEqual({ or: [leaf(true), leaf("true")] });
    expect(compiled('app_metadata.x:"5"')).toEqual(leaf("5"));
    expect(compiled("app_metadata.x:007")).toEqual(leaf("007"));
  });

  test.each<[string, number, number]>([
    ["2024", utc(2024, 1), utc(2025, 1)],
    ["2024-12", utc(2024, 12), utc(2025, 1)],
    ["2024-02-29", utc(2024, 2, 29), utc(2024, 3, 1)],
    ["2024-05-31T12:30", utc(2024, 5, 31, 12, 30), utc(2024, 5, 31, 12, 31)],
    ["2024-05-31T12:30:05Z", utc(2024, 5, 31, 12, 30, 5), utc(2024, 5, 31, 12, 30, 6)],
    ["2024-05-31T12:30:05+02:00", utc(2024, 5, 31, 10, 30, 5), utc(2024, 5, 31, 10, 30, 6)],
    ["2024-05-31T12:30:05-02:30", utc(2024, 5, 31, 15, 0, 5), utc(2024, 5, 31, 15, 0, 6)],
  ])("%s matches the whole period that it names", (text, start, end) => {
    const [from, to]: Filter[] = [
      { field: "created_at", op: "gte", value: start },
      { field: "created_at", op: "lt", value: end },
    ];
    expect(compiled(`created_at:${text}`)).toEqual({ and: [from, to] });
    expect(compiled(`created_at:[${text} TO *]`)).toEqual(from);
    expect(compiled(`created_at:[* TO ${text}]`)).toEqual(to);
    expect(compiled(`created_at:>${text}`)).toEqual({ field: "created_at", op: "gte", value: end });
    expect(compiled(`created_at:<"${text}"`)).toEqual({ field: "created_at", op: "lt", value: start });
  });

  test("an instant with a fraction of a second matches one millisecond", () => {
    const value = utc(2024, 5, 31, 12, 30, 5) + 120;
    expect(compiled("created_at:2024-05-31T12:30:05.12Z")).toEqual({ field: "created_at", op: "eq", value });
  });

  test("a time in a field of ULIDs selects the ids that begin with a time in the period", () => {
    const events: SearchTable = { fields: { date: { field: "log_id", type: "ulid-time" } } };
    const [start, end] = [firstUlidAt(utc(2024, 5)), firstUlidAt(utc(2024, 6))];
    const leaf = (op: "gte" | "lt", value: string): Filter => ({ field: "log_id", op, value });
    const [from, until] = [leaf("gte", start), leaf("lt", end)];
    expect(compileQuery("date:2024-05", events)).toEqual({ and: [from, until] });
    expect(compileQuery("date:[2024-05-01 TO 2024-05-31]", events)).toEqual({ and: [from, until] });
    expect(compileQuery("date:{2024-04-30 TO 2024-06}", events)).toEqual({ and: [from, until] });
    expect(compileQuery("date:>=2024-05", events)).toEqual(from);
    expect(compileQuery("date:<=2024-05", events)).toEqual(until);
    const moment = utc(2024, 5, 31, 12, 30, 5) + 120;
    expect(compileQuery("date:2024-05-31T12:30:05.12Z", events)).toEqual({
      and: [leaf("gte", firstUlidAt(moment)), leaf("lt", firstUlidAt(moment + 1))],
    });
    expect(compileQuery("date:*", events)).toEqual({ field: "log_id", op: "exists" });
    expect(() => compileQuery("date:2024*", events)).toThrow("'*'");
    expect(() => compileQuery("date:01JABC", events)).toThrow("a date is expected here");
  });

  test("a stored value that stands for a missing field neither exists nor matches a comparison", () => {
    const never = { email: "", last_login: 0 };
    for (const q of ["_exists_:last_login", "last_login:<2015", "last_login:1970", "_exists_:email", 'email:""', "email:<b"]) {
      expect([q, matchesFilter(never, compiled(q) ?? { and: [] })]).toEqual([q, false]);
    }
    expect(matchesFilter({ last_login: utc(2014, 3) }, compiled("last_login:<2015") ?? { or: [] })).toBe(true);
  });

  test("searches a bare word in the default fields", () => {
    expect(compiled("Jane")).toEqual({
      or: [
        { field: "email", op: "prefix", value: "jane" },
        { field: "name", op: "contains", value: "Jane" },
      ],
    });
  });

  test("returns undefined for a blank query", () => expect(compiled("  ")).toBeUndefined());
});

describe("reports the position of an error", () => {
  test.each([
    ["a:1", 0],
    ["name:x secret:1", 7],
    ["constructor:1", 0],
    ["name.first:x", 0],
    ["name:(a OR b) x.y:1", 14],
    ["logins_count:ten", 13],
    ["logins_count:[1 TO x]", 19],
    ["logins_count:1.5", 13],
    ["logins_count:99999999999999999", 13],
    ["logins_count:1*", 13],
    ["created_at:2024-02-30", 11],
    ["created_at:2024-13", 11],
    ["created_at:2024-01-01T24:00", 11],
    ["created_at:>0050", 12],
    ["created_at:2024*", 11],
    ["blocked:yes", 8],
    ["blocked:[false TO true]", 8],
    ["app_metadata:x", 13],
    ["nickname:*x*", 9],
    ["name:*x", 5],
    ['""', 0],
  ])("in %s at %i", (q, at) => expect(position(q)).toBe(at));

  test("rejects a word without a field if there are no default fields", () => {
    expect(() => compileQuery("jane", { fields: table.fields })).toThrow(QueryError);
  });
});
