import type { ComponentChildren, JSX } from "preact";
import { FilterButtons, FilterText } from "./post-form.tsx";

/** Renders the search of a list, whose text is the parameter `q` of the URL. */
export function ListSearch({ label, hint, value, isFiltered = value !== "", clear, children }: ListSearchProps): JSX.Element {
  return (
    <form class="filters" method="get" role="search" aria-label={label}>
      <FilterText label={label} value={value} hint={hint}>
        {children}
        <FilterButtons isFiltered={isFiltered} clear={clear} />
      </FilterText>
    </form>
  );
}

interface ListSearchProps {
  readonly label: string;
  /** The fields that the search matches. */
  readonly hint: string;
  readonly value: string;
  /** Whether any filter is set. Default: whether a text is searched. */
  readonly isFiltered?: boolean;
  /** The URL of the list without filters. */
  readonly clear: string;
  /** Further filters. */
  readonly children?: ComponentChildren;
}
