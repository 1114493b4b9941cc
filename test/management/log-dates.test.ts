import { beforeAll, expect, test } from "vitest";
import { firstUlidAt } from "../../packages/core/src/store/ulid.ts";
import { row, untypedCollection } from "../../packages/kysely/test/rows.ts";
import { expectError, jsonBody, list, managerOf, type Manager } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";

const first = Date.UTC(2025, 11, 1, 12);
const last = first + 1000;
/** Five events in the same millisecond at both ends of the range, and five directly outside. */
const times = [first - 1, first, first + 500, last, last + 1];
const range = `date:[${new Date(first).toISOString()} TO ${new Date(last).toISOString()}]`;
const idOf = (time: number, i: number): string => firstUlidAt(time) + String(i).padStart(16, "0");
const inRange = times.slice(1, 4).flatMap((time) => [0, 1, 2, 3, 4].map((i) => idOf(time, i)));

let manage: Manager;

beforeAll(async () => {
  const service = await createTestPostern();
  manage = await managerOf(service);
  const events = times.flatMap((date) =>
    [0, 1, 2, 3, 4].map((i) => row("logs", { tenant_id: "main", log_id: idOf(date, i), date, type: "s", user_id: "u" })),
  );
  await untypedCollection(service.data, "logs").insert(events);
});

const idsOf = (events: readonly { readonly [name: string]: unknown }[]): string[] =>
  events.map((event) => String(event["log_id"])).toSorted();

test("a range of dates contains every event of its first and of its last millisecond, and no other", async () => {
  const response = await manage("GET", `/api/v2/logs?include_totals=true&per_page=100&q=${encodeURIComponent(range)}`);
  expect(jsonBody(response)).toMatchObject({ total: inRange.length });
  expect(idsOf(list(response, "logs"))).toEqual(inRange.toSorted());
});

test.each(["date:1", "date:-1"])(
  "pages of a range of dates that are sorted by %s skip and repeat no event of a millisecond",
  async (sort) => {
    const pages = [];
    for (let page = 0; page < 5; page++) {
      pages.push(...list(await manage("GET", `/api/v2/logs?per_page=4&page=${page}&sort=${sort}&q=${encodeURIComponent(range)}`)));
    }
    expect(idsOf(pages)).toEqual(inRange.toSorted());
    const dates = pages.map((event) => Date.parse(String(event["date"])));
    expect(dates).toEqual(dates.toSorted((a, b) => (sort === "date:1" ? a - b : b - a)));
  },
);

test("events can be sorted by no field except the date", async () => {
  for (const sort of ["log_id:1", "type:1", "constructor:1"])
    expectError(await manage("GET", `/api/v2/logs?sort=${sort}`), 400, "invalid_request", "'sort' must be one of date");
});

test("an event has the new time if the clock was set back by an hour, and a search by that time finds it", async () => {
  const service = await createTestPostern();
  const manageOwn = await managerOf(service);
  const start = service.clock.now();
  await manageOwn.create("/api/v2/roles", { name: "before" });
  service.clock.set(start - 3_600_000);
  await manageOwn.create("/api/v2/roles", { name: "after" });
  const dates = [start, start - 3_600_000].map((time) => new Date(time).toISOString());
  const listed = async (q: string) => list(await manageOwn("GET", `/api/v2/logs?sort=date:-1&q=${encodeURIComponent(q)}`));
  expect((await listed("type:sapi")).map(({ date }) => date)).toEqual(dates);
  for (const date of dates) expect((await listed(`type:sapi AND date:"${date}"`)).map((event) => event["date"])).toEqual([date]);
});
