import * as z from "zod";
import type { Row } from "../../data/schema.ts";

/** How and when the person of a session proved who they are. Instants are milliseconds since 1970. */
export const Authentication = z.object({ methods: z.array(z.object({ name: z.string(), timestamp: z.number() })) });

/** How the person of a session proved who they are, as `amr` says it (RFC 8176): each way once, and none for an identity provider's word. None without a session. */
export function methodsOf(session: Pick<Row<"sessions">, "authentication"> | undefined): readonly string[] {
  const methods = session === undefined ? [] : Authentication.parse(session.authentication).methods;
  return [...new Set(methods.map(({ name }) => name).filter((name) => name !== "federated"))];
}
