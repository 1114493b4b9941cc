import type { Collections } from "../../store/contract.ts";
import { endOfTurn } from "../../store/turn.ts";
import { isDue } from "../delivery/attempt.ts";
import type { DeliverySource } from "../delivery/round-robin.ts";
import type { Installation } from "../installation.ts";
import { LogStreamSource } from "./stream-source.ts";

/** Streams per query. */
const page = 50;

/**
 * Reads the active streams of one database. The stream whose last turn is the longest ago comes first, so a call
 * continues where the previous call of any process stopped.
 *
 * A stream delivers the events in the order of the log. Late events follow out of order (late-events.ts). The cursor of a
 * stream advances after a successful delivery: if the process crashes before that, the delivery is repeated. One process
 * at a time leases a stream.
 */
export async function* streamsIn(installation: Installation, collections: Collections): AsyncGenerator<DeliverySource> {
  const visited = new Set<string>();
  let after: readonly [number, string, string] | undefined;
  for (;;) {
    const rows = await collections.log_streams.find({
      where: { status: "active" },
      orderBy: { fields: ["served_at", "tenant_id", "id"], direction: "asc" },
      limit: page,
      ...(after !== undefined && { after }),
    });
    // A turn moves its stream to the end of the order, where it is found again.
    const streams = rows.filter(({ id }) => !visited.has(id));
    for (const stream of streams) {
      visited.add(stream.id);
      if (isDue(stream, installation.now())) yield new LogStreamSource(installation, collections, stream);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page || streams.length === 0) return;
    after = [last.served_at, last.tenant_id, last.id];
    await endOfTurn();
  }
}
