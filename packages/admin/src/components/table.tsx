import type { ComponentChildren, JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";

/** A column of a {@link DataTable}. */
export interface TableColumn<Row> {
  /** The heading. Empty for a column of buttons. */
  readonly title: string;
  cell(row: Row): ComponentChildren;
  /** Whether the column is as narrow as its content. */
  readonly isTight?: boolean;
  /** Whether narrow windows show the heading before the value. Default: true, except for the first column. */
  readonly hasLabel?: boolean;
  /** Whether narrow windows omit the column, because the record has the value too. Default: false. */
  readonly isMinor?: boolean;
}

/** Renders a table, which becomes a list in narrow windows. The first column names the row. */
export function DataTable<Row>({ caption, columns, rows, rowKey, id }: TableProps<Row>): JSX.Element {
  return (
    <div class="table-box">
      <table class="folds" id={id}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isTight = false }) => (
              <th key={title} scope="col" class={isTight ? "tight" : undefined}>
                {title === "" ? <span class="unseen">{consoleTexts.actions}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody data-user={consoleTexts.logs.user} data-client={consoleTexts.logs.client} data-ip={consoleTexts.logs.ip}>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, cell, isTight = false, hasLabel = true, isMinor = false }, index) => (
                <td
                  key={title}
                  class={[...(isTight ? ["tight"] : []), ...(isMinor ? ["minor"] : [])].join(" ") || undefined}
                  {...(index > 0 && hasLabel && title !== "" && { "data-label": title })}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  rowKey(row: Row): string;
  readonly id?: string;
}

/** Renders the links to the first and to the next page of a list. Renders nothing below a list without any row. */
export function ListPager({ count, first, next }: PagerProps): JSX.Element | null {
  if (count === 0 && first === undefined && next === undefined) return null;
  return (
    <nav class="pager" aria-label={consoleTexts.nextPage}>
      <span>{consoleTexts.shown(count)}</span>
      <span class="actions">
        {first !== undefined && (
          <a class="button small" href={first}>
            {consoleTexts.firstPage}
          </a>
        )}
        {next !== undefined && (
          <a class="button small" href={next} rel="next">
            {consoleTexts.nextPage}
          </a>
        )}
      </span>
    </nav>
  );
}

interface PagerProps {
  /** The number of rows on this page. */
  readonly count: number;
  /** Undefined on the first page. */
  readonly first: string | undefined;
  /** Undefined on the last page. */
  readonly next: string | undefined;
}
