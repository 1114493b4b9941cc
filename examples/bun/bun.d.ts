/** The types of Bun that the example uses. In your app, use `@types/bun`. */
declare module "bun:sqlite" {
  import type { BunSqliteDatabase } from "@postern/kysely";

  export const Database: new (path: string) => BunSqliteDatabase;
}

declare const Bun: {
  serve(options: {
    readonly hostname: string;
    readonly port: number;
    readonly fetch: (request: Request, server: { requestIP(request: Request): { readonly address: string } | null }) => Promise<Response>;
  }): unknown;
};
