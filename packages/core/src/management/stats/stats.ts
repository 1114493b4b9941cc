import * as z from "zod";
import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import { invalidInput } from "../../http/validation.ts";
import { dailyStatsQuerySchema, dailyStatsSchema, toDailyStats } from "../../model/stats/daily-stats.ts";
import { route } from "../../tenants/callers/route-context.ts";

const day = 86_400_000;

/** Days of the default range. */
const defaultDays = 30;

const daily = route({
  method: "GET",
  path: "/api/v2/stats/daily",
  operation: "stats.getDaily",
  summary: "Get the sign-ins, sign-ups and failures of each day",
  description:
    "`sweep` counts the log events, a minute after they happened or later. Days without events are omitted. `failures`, `failures_by_type` and `active_users` are additions to Auth0's members.",
  scopes: ["read:stats"],
  query: dailyStatsQuerySchema,
  responses: { 200: z.array(dailyStatsSchema) },
})(async ({ query }, { tenant }) => {
  const { to = dayAt(tenant.now()) } = query;
  const { from = dayAt(Date.parse(to) - (defaultDays - 1) * day) } = query;
  if (from > to) throw invalidInput("query", "'from' must not be later than 'to'");
  const { daily_statistics: days } = tenant.data;
  return (await readAll(days, schema.daily_statistics.key, { date: { gte: from, lte: to } })).map(toDailyStats);
});

const activeUsers = route({
  method: "GET",
  path: "/api/v2/stats/active-users",
  operation: "stats.getActiveUsersCount",
  summary: "Get the number of users who signed in within 30 days",
  description: "The latest number that `sweep` has counted: at most once an hour, and 0 before its first call.",
  scopes: ["read:stats"],
  responses: { 200: z.int() },
})(async (_, { tenant }) => {
  // A new day has a number, unless the process that created it crashed. Then the day before has it.
  const newest = await tenant.data.daily_statistics.find({ where: {}, orderBy: { fields: ["date"], direction: "desc" }, limit: 2 });
  return newest.find(({ active_users: count }) => count !== null)?.active_users ?? 0;
});

/** The routes for the statistics of a tenant. */
export const statsRoutes = [daily, activeUsers];

function dayAt(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
