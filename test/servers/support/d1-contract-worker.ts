/** A Worker that runs the data contract against the D1 adapter on its own binding, and responds with the results. */
import { runAdapterCases } from "@postern/adapter-tests";
import { createD1Adapter, type D1Database } from "@postern/kysely/d1";

export default {
  async fetch(_request: Request, { DB }: { readonly DB: D1Database }): Promise<Response> {
    const open = async () => {
      const data = createD1Adapter({ database: DB });
      await data.migrate();
      return data;
    };
    const shared = await open();
    const { results, text } = await runAdapterCases({ open: () => shared, openToClose: open });
    return Response.json({ results, text });
  },
};
