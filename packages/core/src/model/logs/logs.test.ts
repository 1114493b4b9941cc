import { expect, test } from "vitest";
import type { Row } from "../../store/schema.ts";
import { auditEventTypes } from "./audit-event-types.ts";
import { logEventSchema, toLog } from "./logs.ts";

const empty: Row<"logs"> = {
  log_id: "01J",
  date: Date.UTC(2030, 0, 1),
  type: "s",
  description: "",
  client_id: "",
  client_name: "",
  connection: "",
  connection_id: "",
  organization_id: "",
  organization_name: "",
  user_id: "",
  user_name: "",
  ip: "",
  hostname: "",
  user_agent: "",
  is_mobile: false,
  audience: "",
  scope: "",
  strategy: "",
  strategy_type: "",
  details: {},
  expires_at: null,
};

test("an event without details has every key", () => {
  const event = logEventSchema.parse(toLog(empty));
  expect(Object.keys(event).sort()).toEqual(
    (
      "_id audience client_id client_name connection connection_id date description details hostname ip isMobile location_info log_id " +
      "organization_id organization_name scope strategy strategy_type type user_agent user_id user_name"
    ).split(" "),
  );
  expect(event).toMatchObject({
    _id: "01J",
    date: "2030-01-01T00:00:00.000Z",
    description: null,
    audience: null,
    client_id: "",
    location_info: null,
  });
});

test("an event with all details is returned with all of them", () => {
  const known = { description: "Fine", audience: "api", scope: "a b", organization_id: "org_1", organization_name: "one", is_mobile: true };
  const { is_mobile, ...same } = known;
  expect(logEventSchema.parse(toLog({ ...empty, ...known, strategy_type: "database" }))).toMatchObject({
    ...same,
    isMobile: is_mobile,
    strategy_type: "database",
  });
});

test("an event with a type that a later version wrote can be returned", () => {
  expect(logEventSchema.safeParse(toLog({ ...empty, type: "brand_new", strategy_type: "telepathy" })).success).toBe(true);
});

test("the event codes that Auth0's clients check for exist", () => {
  expect(Object.keys(auditEventTypes)).toEqual(expect.arrayContaining(["s", "ss", "seccft", "sertft", "slo", "limit_wc", "sapi"]));
});
