import { conditionFault, valueFault } from "./check-values.ts";
import type { AnyRow, Change, Collection, Filter, Find, Match } from "./contract.ts";
import type { CollectionDescription, Field } from "./description.ts";
import { storedFields, storedKey } from "./schema.ts";
import { pruneImpossibleConditions } from "./prune-conditions.ts";

const filterOperators = new Set(["eq", "lt", "lte", "gt", "gte", "prefix", "contains", "exists"]);

/**
 * Adds checks before an adapter's five methods, so that a mistake in core becomes an error and never a wrong result.
 * Rejected are: an unknown field or operator, `undefined`, a value of another type, an empty condition, and a new row
 * without all of its fields. If no row can ever match a condition ({@link pruneImpossibleConditions}), the adapter is
 * not called.
 */
export function withChecks(description: CollectionDescription, inner: Collection): Collection {
  const fields = new Map(Object.entries(storedFields(description)));
  const check = createChecks(description, fields);
  return {
    ...(inner.filters !== undefined && { filters: inner.filters }),
    insert: async (rows, options) => {
      if (rows.length === 0) throw new TypeError(`${description.name}: an insert requires at least one row`);
      rows.forEach(check.row);
      return inner.insert(rows, options);
    },
    find: async (query, options) => {
      check.find(query);
      const where = pruneImpossibleConditions(fields, query.where);
      if (where === undefined) return [];
      return inner.find(where === query.where ? query : { ...query, where }, options);
    },
    count: async (where, filter, options) => {
      check.where(where);
      if (filter !== undefined) check.filter(filter);
      const possible = pruneImpossibleConditions(fields, where);
      return possible === undefined ? 0 : inner.count(possible, filter, options);
    },
    update: async (where, change, options) => {
      check.where(where);
      check.change(change);
      const possible = pruneImpossibleConditions(fields, where);
      return possible === undefined ? 0 : inner.update(possible, change, options);
    },
    delete: async (where, options) => {
      check.where(where);
      const possible = pruneImpossibleConditions(fields, where);
      return possible === undefined ? 0 : inner.delete(possible, options);
    },
  };
}

/** Each check throws a `TypeError` that names the collection, the field and the mistake. */
interface Checks {
  row(row: AnyRow): void;
  where(where: Match<AnyRow>): void;
  find(query: Find<AnyRow>): void;
  filter(filter: Filter): void;
  change(change: Change<AnyRow>): void;
}

function createChecks(description: CollectionDescription, fields: ReadonlyMap<string, Field>): Checks {
  const key = storedKey(description);
  const orderKey = description.key;

  const refuse = (fault: string): never => {
    throw new TypeError(`${description.name}${fault}`);
  };
  const field = (name: string): Field => fields.get(name) ?? refuse(` has no field '${name}'`);

  const where = (conditions: Match<AnyRow>): void => {
    let empty = true;
    for (const name in conditions) {
      if (!Object.hasOwn(conditions, name)) continue;
      empty = false;
      const condition = conditions[name];
      const fault = condition === undefined ? "is undefined" : conditionFault(field(name), condition);
      if (fault !== undefined) refuse(`.${name} ${fault}`);
    }
    if (empty) refuse(": an empty condition would match every row");
  };

  const order = ({ orderBy, after, offset }: Find<AnyRow>): void => {
    if (orderBy === undefined) {
      if (after !== undefined || offset !== undefined) refuse(": 'after' and 'offset' require 'orderBy'");
      return;
    }
    const { fields: names, direction } = orderBy;
    if (direction !== "asc" && direction !== "desc") refuse(`: the direction must be 'asc' or 'desc', not '${String(direction)}'`);
    for (const name of names) if (field(name).nullable) refuse(`.${name} is nullable, so rows cannot be ordered by it`);
    // The fields of the key need not be last, because an index may have them earlier. If one of them is missing, the
    // order of two rows may be undefined.
    if (!orderKey.every((name) => names.includes(name))) refuse(": 'orderBy' must contain every field of the key");
    if (after === undefined) return;
    if (after.length !== names.length) refuse(": 'after' must have one value for each field of 'orderBy'");
    names.forEach((name, index) => {
      const fault = valueFault(field(name), after[index]);
      if (fault !== undefined) refuse(`.${name} in 'after' ${fault}`);
    });
  };

  const filter = (tree: Filter): void => {
    if ("not" in tree) return filter(tree.not);
    if ("and" in tree || "or" in tree) {
      const parts = "and" in tree ? tree.and : tree.or;
      if (parts.length === 0) refuse(": 'and' and 'or' in a filter require at least one part");
      return parts.forEach(filter);
    }
    const { field: name, path, op, value } = tree;
    if (path !== undefined && field(name).type !== "object") refuse(`.${name} is not an object, so a filter must not have a path into it`);
    if (!filterOperators.has(op)) refuse(`.${name}: '${op}' is not a filter operator`);
    if ((op === "exists") !== (value === undefined)) refuse(`.${name}: ${op} ${value === undefined ? "requires a" : "takes no"} value`);
    field(name);
  };

  return {
    where,
    filter,
    row(row) {
      for (const [name, { type }] of fields) {
        const fault = valueFault(field(name), row[name]);
        if (fault !== undefined) refuse(`.${name} (${type}) in a new row ${fault}`);
      }
      for (const name in row) field(name);
    },
    find(query) {
      where(query.where);
      if (query.filter !== undefined) filter(query.filter);
      const { fields: wanted, limit, offset, after } = query;
      if (wanted !== undefined) {
        if (wanted.length === 0) refuse(": 'fields' must name at least one field");
        wanted.forEach(field);
      }
      if (!Number.isInteger(limit) || limit < 1 || limit > 1000) refuse(`: 'limit' must be 1 to 1000, not ${limit}`);
      if (offset !== undefined && after !== undefined) refuse(": 'offset' and 'after' cannot be combined");
      if (offset !== undefined && (!Number.isSafeInteger(offset) || offset < 0)) refuse(`: offset must be an integer >= 0, not ${offset}`);
      order(query);
    },
    change({ set = {}, add = {} }) {
      let changes = 0;
      for (const [name, value] of Object.entries(set)) {
        changes++;
        const fault = valueFault(field(name), value);
        if (fault !== undefined) refuse(`.${name} ${fault}`);
        if (key.includes(name)) refuse(`.${name} is part of the key and cannot be changed`);
        if (Object.hasOwn(add, name)) refuse(`.${name} is in both 'set' and 'add'`);
      }
      for (const [name, value] of Object.entries(add)) {
        changes++;
        if (field(name).type !== "integer") refuse(`.${name} is not of type integer, so 'add' does not support it`);
        if (!Number.isSafeInteger(value)) refuse(`.${name}: the number to add must be a whole number, not ${value}`);
      }
      if (changes === 0) refuse(": an update must change at least one field");
    },
  };
}
