import { estimateBytes } from "../../store/estimate-bytes.ts";
import { endOfTurn } from "../../store/turn.ts";
import { selectFields, type FieldSelection } from "../../http/field-selection.ts";
import { invalidInput } from "../../http/validation.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * The number of rows in the first, the second and each later read. The first read contains a page of the default size.
 * Large pages are read in smaller steps.
 */
const [firstRows, secondRows, laterRows] = [11, 40, 50];
const rowsOfLargePage = 10;

/** Maximum size in bytes of the rows of a small page in memory. Small pages are built without waiting for other large responses. */
const small = 512 * 1024;

/** Reads the rows of a page and converts them to items. */
export interface PageSource<Row, Item> {
  /**
   * Reads up to `count` rows. `count` is at least 1.
   * @param last the row after which the read continues; undefined for the start of the page.
   */
  read(count: number, last: Row | undefined): Promise<readonly Row[]>;
  present(rows: readonly Row[]): Promise<readonly Item[]> | readonly Item[];
}

/** The requested size and fields of a page. */
export interface PageRequest {
  /** The maximum number of rows. */
  readonly take: number;
  /** The fields that the response contains. Other fields are dropped, and do not count towards the size limit. */
  readonly selection: FieldSelection;
  /** Tells the caller in the error message how to request a smaller page. Default: with `take` or `fields`. */
  readonly advice?: string;
}

const cursorAdvice = "read the list with 'take' and 'from', which may return shorter pages, or omit large members with 'fields'";

/** A page, and where it ends in the list. */
interface ReadPage<Row, Item> {
  readonly items: readonly Item[];
  /** The number of rows that the items were created from. */
  readonly rows: number;
  /** The last of these rows. */
  readonly last: Row | undefined;
  /** Whether the list continues after the page. Always `false` for {@link readCompletePage}. */
  readonly hasMore: boolean;
}

/**
 * Reads a page that may have fewer items than requested: it ends before its items exceed the configured `pageBytes`. It
 * contains at least one item if there are any. Reads one row more than the page has, to determine whether the list
 * continues.
 */
export function readPartialPage<Row, Item>(
  tenant: RequestTenant,
  request: PageRequest,
  source: PageSource<Row, Item>,
): Promise<ReadPage<Row, Item>> {
  return readPage(tenant, request, source, true);
}

/**
 * Reads a page with all requested items.
 * @throws {PosternError} `invalid_request` if the items exceed the configured `pageBytes`.
 */
export function readCompletePage<Row, Item>(
  tenant: RequestTenant,
  request: PageRequest,
  source: PageSource<Row, Item>,
): Promise<ReadPage<Row, Item>> {
  return readPage(tenant, request, source, false);
}

async function readPage<Row, Item>(
  tenant: RequestTenant,
  { take, selection, advice = cursorAdvice }: PageRequest,
  { read, present }: PageSource<Row, Item>,
  mayEndEarly: boolean,
): Promise<ReadPage<Row, Item>> {
  const maximumRows = mayEndEarly ? take + 1 : take;
  const found: Row[] = [];
  let [bytes, ended] = [0, false];
  const readMore = async (atOnce: number): Promise<readonly Row[]> => {
    const count = Math.min(atOnce, maximumRows - found.length);
    const rows = count === 0 ? [] : await read(count, found.at(-1));
    ended = rows.length < count || found.length + rows.length === maximumRows;
    found.push(...rows);
    return rows;
  };
  while (!ended && bytes <= small) {
    const atOnce = found.length === 0 ? firstRows : found.length === firstRows ? secondRows : laterRows;
    for (const row of await readMore(atOnce)) bytes += estimateBytes(row);
  }
  if (bytes <= small) {
    const rows = found.slice(0, take);
    return { items: await present(rows), rows: rows.length, last: rows.at(-1), hasMore: found.length > take };
  }

  return tenant.processState.largeReplies.run(tenant.id, Math.min(tenant.config.pageBytes, (bytes / found.length) * take), async () => {
    const items: Item[] = [];
    let [done, size, isFull] = [0, 0, false];
    /** Adds the items of these rows until the page is full. */
    const add = async (rows: readonly Row[]): Promise<void> => {
      // The response contains only these fields, so the other fields are not held in memory until the page is complete.
      const presented = selectFields(await present(rows), selection) as readonly Item[];
      const added = presented.reduce((sum, item) => sum + bytesOf(item), 0);
      await endOfTurn();
      if (size + added <= tenant.config.pageBytes || (mayEndEarly && done === 0 && rows.length === 1)) {
        items.push(...presented);
        size += added;
        done += rows.length;
        return;
      }
      if (!mayEndEarly) throw invalidInput("query", `the page is larger than ${tenant.config.pageBytes} bytes: ${advice}`);
      const half = Math.floor(rows.length / 2);
      if (half > 0) await add(rows.slice(0, half));
      if (half > 0 && !isFull && size < tenant.config.pageBytes) await add(rows.slice(half));
      isFull = true;
    };
    for (let next: readonly Row[] = found; !isFull && done < take && next.length > 0;) {
      for (let from = 0; from < next.length && !isFull && done < take; from += rowsOfLargePage)
        await add(next.slice(from, Math.min(from + rowsOfLargePage, from + take - done)));
      next = ended || isFull ? [] : await readMore(rowsOfLargePage);
    }
    return { items, rows: done, last: found[done - 1], hasMore: mayEndEarly && (isFull || found.length > done) };
  });
}

const encoder = new TextEncoder();

function bytesOf(value: unknown): number {
  return encoder.encode(JSON.stringify(value) ?? "").length;
}
