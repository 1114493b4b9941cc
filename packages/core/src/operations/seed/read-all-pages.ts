/** A page of a list, with the cursor of the next page. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

/** Reads all items of a list. @param read reads the first page, or the page that a cursor points to. */
export async function readAllPages<Item>(read: (from: { readonly from?: string }) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const items: Item[] = [];
  let from: string | undefined;
  do {
    const page = await read(from === undefined ? {} : { from });
    items.push(...page.items);
    from = page.next;
  } while (from !== undefined);
  return items;
}
