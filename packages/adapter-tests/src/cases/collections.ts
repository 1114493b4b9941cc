import { schema, storedKey, type AnyRow, type CollectionDescription, type CollectionName, type Match } from "@postern/core/adapter";
import { NotApplicable, equal } from "../failure.ts";
import type { Definition, Room } from "../definition.ts";
import { emptyRow, freshKeys, fullRow, keyFields, token } from "../rows.ts";
import { untyped } from "../subject.ts";

type Run = (description: CollectionDescription, room: Room, tenant: AnyRow) => Promise<void>;

/** What is asked of every collection: that the store has all its fields at their full length, its keys, and its orders. */
export function collectionCases(name: CollectionName): readonly Definition[] {
  const description: CollectionDescription = schema[name];
  const each = (what: string, why: string, run: Run): Definition => ({
    name: `${name}: ${what}`,
    why,
    fits: (names) => names.includes(name),
    run: async (room) => {
      if (!Object.hasOwn(room.adapter.collections, name) && description.optional)
        throw new NotApplicable(`the adapter leaves out ${name}, as it may`);
      await run(description, room, description.scope === "tenant" ? { tenant_id: `kit-${token()}` } : {});
    },
  });

  return [
    each(
      "keeps a full row, and one with as little as may be",
      "A column that is missing, too short or not nullable shows on the day somebody needs it.",
      keepsRows,
    ),
    each("has its keys", "A unique key that the store does not know is two accounts with one address.", hasKeys),
    each("answers in its orders", "Each list of the Management API is one of them.", answersInOrders),
  ];
}

const keepsRows: Run = async (description, { adapter }, tenant) => {
  const collection = untyped(adapter.collections, description.name);
  const full = { ...fullRow(description), ...tenant };
  equal("insert of a full row answers", await collection.insert([full]), true);
  equal("the full row", await collection.find({ where: keyOf(description, full), limit: 1 }), [full]);

  const bare = { ...emptyRow(description), ...tenant };
  equal("insert of a row with null wherever null may be answers", await collection.insert([bare]), true);
  const [stored = {}] = await collection.find({ where: keyOf(description, bare), limit: 1 });
  // Whether null is told from '' is asked once, by a case of its own.
  equal("the row", withoutNulls(description, stored), withoutNulls(description, bare));

  const keys = keyFields(description);
  const set = Object.fromEntries(Object.entries(full).filter(([field]) => !keys.has(field)));
  if (Object.keys(set).length === 0) return;
  await collection.update(keyOf(description, bare), { set });
  equal("the row, with all its fields set", await collection.find({ where: keyOf(description, bare), limit: 1 }), [{ ...bare, ...set }]);
};

const hasKeys: Run = async (description, { adapter }, tenant) => {
  const collection = untyped(adapter.collections, description.name);
  for (const fields of [description.key, ...description.unique]) {
    const row = { ...emptyRow(description), ...freshKeys(description), ...tenant };
    const rival = { ...row, ...freshKeys(description), ...pick(row, fields) };
    await collection.insert([row]);
    await collection.insert([rival]);
    const where = { ...scalars(tenant), ...scalars(pick(row, fields)) };
    equal(`rows with one ${fields.join(", ")}`, Number(await collection.count(where)), 1);

    if (description.scope === "global") continue;
    const elsewhere = { ...row, tenant_id: `kit-${token()}` };
    await collection.insert([elsewhere]);
    const both = { ...scalars(pick(row, fields)), tenant_id: { in: [String(tenant["tenant_id"]), elsewhere.tenant_id] } };
    equal(`rows with one ${fields.join(", ")} in two tenants`, Number(await collection.count(both)), 2);
  }
};

const answersInOrders: Run = async (description, { adapter }, tenant) => {
  const collection = untyped(adapter.collections, description.name);
  const keys = new Set([description.key, ...description.indexes].map((fields) => [...new Set([...fields, ...description.key])]));
  for (const fields of keys) {
    if (fields.some((field) => description.fields[field]?.nullable)) continue;
    const rows = [1, 2, 3].map((n) => ({ ...emptyRow(description), ...tenant, ...placed(description, fields, n) }));
    await collection.insert(rows.toReversed());
    const [key = ""] = description.key;
    const where: Match<AnyRow> = { ...scalars(tenant), ...inAny(description, rows.toReversed()) };
    const found = await collection.find({ where, orderBy: { fields, direction: "asc" }, limit: 9 });
    equal(
      `rows ordered by ${fields.join(", ")}`,
      found.map((row) => row[key]),
      rows.map((row) => row[key]),
    );
  }
};

const pick = (row: AnyRow, names: readonly string[]): AnyRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));

/** What puts a row in the `n`th place of three: the first field alone, but for a boolean, which has two values. */
function placed(description: CollectionDescription, [first = "", second]: readonly string[], n: number): AnyRow {
  const value = { [first]: valueFor(description, first, n) };
  if (description.fields[first]?.type !== "boolean" || second === undefined) return value;
  // The row that the boolean puts first would be the last without it.
  return { ...value, [second]: valueFor(description, second, n === 1 ? 3 : n - 1) };
}

/** A value of the field that is the greater, the greater `n` is. */
function valueFor(description: CollectionDescription, field: string, n: number): string | number | boolean {
  const { type } = description.fields[field] ?? {};
  return type === "string" ? `${n}${token(12)}` : type === "boolean" ? n > 1 : n;
}

const scalars = (row: AnyRow): Match<AnyRow> =>
  Object.fromEntries(Object.entries(row).flatMap(([name, value]) => (typeof value === "object" ? [] : [[name, value]])));

const keyOf = (description: CollectionDescription, row: AnyRow): Match<AnyRow> => scalars(pick(row, storedKey(description)));

const inAny = (description: CollectionDescription, rows: readonly AnyRow[]): Match<AnyRow> =>
  Object.fromEntries(description.key.map((field) => [field, { in: [...new Set(rows.map((row) => String(row[field])))] }]));

const withoutNulls = (description: CollectionDescription, row: AnyRow): AnyRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => description.fields[name]?.nullable !== true));
