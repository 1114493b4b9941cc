import { schema, storedKey, type AnyRow, type CollectionDescription, type CollectionName, type Match } from "@postern/core/adapter";
import { NotApplicable, equal } from "../failure.ts";
import type { CaseDefinition, CaseContext } from "../definition.ts";
import { emptyRow, freshKeys, fullRow, keyFields, randomToken } from "../rows.ts";
import { untyped } from "../subject.ts";

type Run = (description: CollectionDescription, room: CaseContext, tenant: AnyRow) => Promise<void>;

/**
 * Returns the cases that test one collection: it stores every field at its maximum length, enforces its keys and
 * supports its orders.
 */
export function collectionCases(name: CollectionName): readonly CaseDefinition[] {
  const description: CollectionDescription = schema[name];
  const each = (what: string, why: string, run: Run): CaseDefinition => ({
    name: `${name}: ${what}`,
    why,
    fits: (names) => names.includes(name),
    run: async (room) => {
      if (!Object.hasOwn(room.adapter.collections, name) && description.optional)
        throw new NotApplicable(`the adapter omits ${name}, which is optional`);
      await run(description, room, description.scope === "tenant" ? { tenant_id: `kit-${randomToken()}` } : {});
    },
  });

  return [
    each(
      "stores a full row and a minimal row",
      "A column that is missing, too short or not nullable fails only when a request needs it.",
      storesRows,
    ),
    each("enforces its keys", "Without a unique key, two accounts can have the same email address.", hasKeys),
    each("supports its orders", "Each list of the Management API uses one of them.", supportsOrders),
  ];
}

const storesRows: Run = async (description, { adapter }, tenant) => {
  const collection = untyped(adapter.collections, description.name);
  const full = { ...fullRow(description), ...tenant };
  equal("result of inserting a full row", await collection.insert([full]), true);
  equal("the full row", await collection.find({ where: keyOf(description, full), limit: 1 }), [full]);

  const bare = { ...emptyRow(description), ...tenant };
  equal("result of inserting a row with null in every nullable field", await collection.insert([bare]), true);
  const [stored = {}] = await collection.find({ where: keyOf(description, bare), limit: 1 });
  // Another case tests that null differs from ''.
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
    const elsewhere = { ...row, tenant_id: `kit-${randomToken()}` };
    await collection.insert([elsewhere]);
    const both = { ...scalars(pick(row, fields)), tenant_id: { in: [String(tenant["tenant_id"]), elsewhere.tenant_id] } };
    equal(`rows with one ${fields.join(", ")} in two tenants`, Number(await collection.count(both)), 2);
  }
};

const supportsOrders: Run = async (description, { adapter }, tenant) => {
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

/**
 * Returns values that give a row position `n` of three. Only the first field determines the position, unless it is a
 * boolean, which has only two values.
 */
function placed(description: CollectionDescription, [first = "", second]: readonly string[], n: number): AnyRow {
  const value = { [first]: valueFor(description, first, n) };
  if (description.fields[first]?.type !== "boolean" || second === undefined) return value;
  // Rows 2 and 3 have the same boolean, so the second field orders them. Its value in row 1 is the greatest, so that an
  // order that ignores the boolean puts row 1 last.
  return { ...value, [second]: valueFor(description, second, n === 1 ? 3 : n - 1) };
}

/** Returns a value for the field. The value increases with `n`. */
function valueFor(description: CollectionDescription, field: string, n: number): string | number | boolean {
  const { type } = description.fields[field] ?? {};
  return type === "string" ? `${n}${randomToken(12)}` : type === "boolean" ? n > 1 : n;
}

const scalars = (row: AnyRow): Match<AnyRow> =>
  Object.fromEntries(Object.entries(row).flatMap(([name, value]) => (typeof value === "object" ? [] : [[name, value]])));

const keyOf = (description: CollectionDescription, row: AnyRow): Match<AnyRow> => scalars(pick(row, storedKey(description)));

const inAny = (description: CollectionDescription, rows: readonly AnyRow[]): Match<AnyRow> =>
  Object.fromEntries(description.key.map((field) => [field, { in: [...new Set(rows.map((row) => String(row[field])))] }]));

const withoutNulls = (description: CollectionDescription, row: AnyRow): AnyRow =>
  Object.fromEntries(Object.entries(row).filter(([name]) => description.fields[name]?.nullable !== true));
