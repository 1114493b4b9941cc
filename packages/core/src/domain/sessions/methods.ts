import * as z from "zod";
import type { Row } from "../../data/schema.ts";

/** How and when the person of a session proved who they are. Instants are milliseconds since 1970. */
export const Authentication = z.object({ methods: z.array(z.object({ name: z.string(), timestamp: z.number() })) });

/** How the person of a session proved who they are (RFC 8176), each way once. None without a session. */
export function methodsOf(session: Pick<Row<"sessions">, "authentication"> | undefined): readonly string[] {
  return session === undefined ? [] : [...new Set(Authentication.parse(session.authentication).methods.map(({ name }) => name))];
}
