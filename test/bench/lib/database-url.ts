/** Returns the URL of a database. @param database a URL, or the path of an SQLite file. */
export function databaseUrl(database: string): string {
  return database.includes("://") ? database : `sqlite:${database}`;
}
