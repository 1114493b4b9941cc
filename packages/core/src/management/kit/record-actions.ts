import type * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { changeRow, requireRow, type CountedRow } from "../../store/change-row.ts";
import type { AnyRow, Change, Match } from "../../store/contract.ts";
import { isConflict } from "../../store/conflicts.ts";
import { rowsBeforeReply, WorkLimit } from "../../store/work-limit.ts";
import { PosternError } from "../../errors.ts";
import type { Listing, ListQuery } from "../../http/pagination.ts";
import type { ManagementContext } from "../../tenants/callers/route-context.ts";
import type { Resource } from "./crud.ts";
import { listRoute } from "./list.ts";

/** The implementations of the five routes of a resource. */
interface RecordActions<Item, Create extends z.ZodType, Update extends z.ZodType, Query extends z.ZodType> {
  page(query: z.output<Query>, context: ManagementContext): Promise<Listing<Item>>;
  create(body: z.output<Create>, context: ManagementContext): Promise<Item>;
  get(id: string, context: ManagementContext): Promise<Item>;
  change(id: string, body: z.output<Update>, context: ManagementContext): Promise<Item>;
  remove(id: string, context: ManagementContext): Promise<void>;
}

/** Creates the {@link RecordActions} of a resource. */
export function recordActions<
  Row extends CountedRow,
  Item,
  Create extends z.ZodType,
  Update extends z.ZodType,
  Query extends z.ZodType<ListQuery>,
>(resource: Resource<Row, Item, Create, Update, Query>): RecordActions<Item, Create, Update, Query> {
  const { description, noun } = resource;
  const [idField = ""] = description.key;
  const hasDeletion = Object.hasOwn(description.fields, "deleting_at");
  const what = noun.replace(/^an? /, "");
  const conflict = (): PosternError => new PosternError("conflict", `${noun} with these values already exists`);
  const missing = (): PosternError =>
    new PosternError("not_found", `there is no such ${what}`, resource.notFound && { errorCode: resource.notFound });

  const find = async (id: string, context: ManagementContext): Promise<Row | undefined> => {
    // The ID takes precedence. A caller can choose the alternative name of a row, and the name may equal the ID of
    // another row.
    const row = await findOne(resource.collection(context.tenant.data), byId(id));
    return row ?? resource.find?.(id, context);
  };
  // A single condition on the key column. The type cannot be inferred here, because the name of the column comes from
  // the description.
  const byId = (id: string, more: Match<AnyRow> = {}): Match<Row> => ({ [idField]: id, ...more }) as Match<Row>;

  const read = async (id: string, context: ManagementContext): Promise<Row> => {
    const row = await find(id, context);
    if (row === undefined) throw missing();
    return row;
  };

  const presentOne = async (row: Row, context: ManagementContext): Promise<Item> => {
    const [item] = await resource.present([row], context);
    if (item === undefined) throw new Error(`the presentation of ${noun} is missing`);
    return item;
  };

  const page = async (query: z.output<Query>, context: ManagementContext) =>
    resource.listInstead?.(query, context) ??
    listRoute(context.tenant, query, {
      collection: resource.collection(context.tenant.data),
      description,
      where: (await resource.listWhere?.(query, context)) ?? {},
      only: resource.listOnly?.(query) ?? [],
      key: resource.key,
      defaultSort: resource.defaultSort ?? { field: "created_at", direction: "asc" },
      ...(resource.search && { search: resource.search }),
      shown: resource.visibility?.fields({ ...context.caller, params: {} }),
      present: (rows: readonly Row[]) => resource.present(rows, context),
    });

  const create = async (body: z.output<Create>, context: ManagementContext): Promise<Item> => {
    const now = context.tenant.now();
    const { record, extra } = await resource.toRecord(body, context);
    // `toRecord` returns every other field, because `NewRecord` requires them.
    const row = { ...record, ...(hasDeletion && { deleting_at: null }), revision: 0, created_at: now, updated_at: now } as unknown as Row;
    if (!(await resource.collection(context.tenant.data).insert([row]))) throw conflict();
    await resource.afterWrite?.(row, body, context);
    return { ...(await presentOne(row, context)), ...extra };
  };

  const change = async (id: string, body: z.output<Update>, context: ManagementContext): Promise<Item> => {
    const { data } = context.tenant;
    const known = await read(id, context);
    const apply = async (row: Row): Promise<Partial<Row> | undefined> => {
      const set = await resource.toChange(row, body, context);
      return set && { ...set, updated_at: context.tenant.now() };
    };
    const changed = await changeRow(resource.collection(data), byId(String(known[idField])), apply, known).catch((error: unknown) => {
      throw isConflict(error) ? conflict() : error;
    });
    const row = requireRow(changed, what, missing);
    await resource.afterWrite?.(row, body, context);
    return presentOne(row, context);
  };

  const remove = async (id: string, context: ManagementContext): Promise<void> => {
    const collection = resource.collection(context.tenant.data);
    const row = (await find(id, context)) ?? (hasDeletion ? await findDeleting(id, context) : undefined);
    if (row === undefined) return;
    await resource.checkRemoval?.(row, context);
    const key = byId(String(row[idField]));
    if (hasDeletion) {
      // From here on, every query treats the row as deleted, even after a crash.
      const mark = { set: { deleting_at: context.tenant.now() } } as unknown as Change<Row>;
      await collection.update(key, mark);
    }
    const limit = new WorkLimit(hasDeletion ? rowsBeforeReply : Infinity);
    const completed = await limit.run(async () => {
      if ((await resource.removeChildren?.(row, context.tenant, limit)) !== "keep") await collection.delete(key);
    });
    const names = completed ? undefined : resource.freedNames?.(row);
    if (names !== undefined)
      await collection
        .update(byId(String(row[idField]), { deleting_at: { exists: true } }), { set: names } as unknown as Change<Row>)
        .catch((error: unknown) => {
          // Another row already has the replacement name. The original name then stays reserved until `sweep` has
          // deleted this row.
          if (!isConflict(error)) throw error;
        });
  };

  /** Returns a row whose deletion has started but is not complete. */
  const findDeleting = async (id: string, context: ManagementContext): Promise<Row | undefined> => {
    const row = await findOne(resource.collection(context.tenant.data), byId(id, { deleting_at: { exists: true } }));
    return row;
  };

  return { page, create, get: async (id, context) => presentOne(await read(id, context), context), change, remove };
}
