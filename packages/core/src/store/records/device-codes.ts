import { collection, hash, id, instant, integer, nullable, object, string, userId } from "../description.ts";

/**
 * `state` is `pending`, `approved`, `denied` or `redeemed`. `requested` has the parameters of the client's request,
 * `device` the sender of that request, and `granted` what the user approved. `polled_at` is 0 before the first poll.
 * `interval_seconds` is the time between two polls that the client must wait.
 */
export const deviceCodes = collection({
  name: "device_codes",
  about:
    "A device code and its user code (RFC 8628), and the decision of the user. A conditional update decides it once, and another redeems it once.",
  scope: "tenant",
  fields: {
    code_hash: hash,
    user_code_hash: hash,
    client_id: id,
    requested: object,
    device: object,
    state: string(16),
    interval_seconds: integer,
    polled_at: instant,
    user_id: nullable(userId),
    granted: object,
    created_at: instant,
    expires_at: instant,
    purge_at: instant,
  },
  key: ["code_hash"],
  unique: [["user_code_hash"]],
  indexes: [["user_id"]],
  sortable: [],
  // The row outlives the code, so that a late poll learns that the code has expired.
  expiry: "purge_at",
});
