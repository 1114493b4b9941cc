/**
 * Where a person goes on to after signing in: an address of the app's own.
 * @param app the app's public address, ending in a slash.
 * @returns path and query below the app's origin; the app's own address for anything else: another site, another scheme, an address outside the app's path.
 */
export function returnPath(app: URL, wanted: string | null | undefined): string {
  if (wanted === null || wanted === undefined || !wanted.startsWith("/") || wanted.length > 2000 || !URL.canParse(wanted, app))
    return app.pathname;
  const url = new URL(wanted, app);
  // `//evil.example`, `/\evil.example` and what tabs and newlines hide become another origin here.
  if (url.origin !== app.origin || url.username !== "" || url.password !== "") return app.pathname;
  if (`${url.pathname}/` !== app.pathname && !url.pathname.startsWith(app.pathname)) return app.pathname;
  return url.pathname + url.search + url.hash;
}
