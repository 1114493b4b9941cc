import { ascii, collection, instant, integer, nullable, object } from "../description.ts";

export const dailyStatistics = collection({
  name: "daily_statistics",
  about:
    "What happened in a tenant on one day (UTC), counted by `sweep` from the log events. `last_event_id` is the id of the last counted event of the day: " +
    "it and the counts change in one write, so each event is counted once.",
  scope: "tenant",
  fields: {
    // YYYY-MM-DD.
    date: ascii(32),
    last_event_id: ascii(64),
    logins: integer,
    signups: integer,
    leaked_passwords: integer,
    failures: integer,
    // The number of failures by the code of the log event.
    failures_by_type: object,
    // The users who signed in within the 30 days before `active_users_at`. Null if they were not counted on this day.
    active_users: nullable(integer),
    active_users_at: instant,
    created_at: instant,
    updated_at: instant,
  },
  key: ["date"],
  unique: [],
  indexes: [],
  sortable: [],
});
