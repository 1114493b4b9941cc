/** What the example uses of Bun. In an app of yours `@types/bun` has these and everything else. */
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
