import type { Row } from "../data/schema.ts";
import type { BegunSession } from "./begin-session.ts";
import type { Interaction } from "./interaction.ts";
import type { Taken } from "./step.ts";

/** Goes on as somebody who proved who they are. What was asked of them on the way is over. */
export function proved({ client }: Interaction, user: Row<"users">, identifier: string, { session, proof, cookies }: BegunSession): Taken {
  const noted = session.clients.includes(client.record.client_id);
  return {
    change: ({ aim: _, code: __, reset: ___, ...progress }) => ({ ...progress, identifier, proofs: [...progress.proofs, proof] }),
    signedIn: { browser: { user, session, ...(noted && { noted }) }, cookies },
  };
}
