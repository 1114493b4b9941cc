import { expect, test } from "vitest";
import { createMessageLimits } from "./message-limits.ts";

test("a client IP address may request a hundred messages within ten minutes", () => {
  const limits = createMessageLimits();
  for (let i = 0; i < 100; i++) expect(limits.takeAddress("t1:192.0.2.1", i)).toBe(0);
  expect(limits.takeAddress("t1:192.0.2.1", 99_000)).toBe(501);
  expect(limits.takeAddress("t1:192.0.2.2", 99_000)).toBe(0);
  expect(limits.takeAddress("t1:192.0.2.1", 600_000)).toBe(0);
});

test("a thousand messages may be sent to a mail domain within ten minutes, and a hundred to a range of phone numbers", () => {
  const limits = createMessageLimits();
  for (let i = 0; i < 1000; i++) expect(limits.takePrefix("email", "t1:email:example.test", 0)).toBe(0);
  expect(limits.takePrefix("email", "t1:email:example.test", 0)).toBe(600);
  for (let i = 0; i < 100; i++) expect(limits.takePrefix("sms", "t1:sms:491511", 0)).toBe(0);
  expect(limits.takePrefix("sms", "t1:sms:491511", 0)).toBe(600);
});

test("messages to many destinations do not reset the count of a client IP address", () => {
  const limits = createMessageLimits();
  for (let i = 0; i < 100; i++) limits.takeAddress("t1:192.0.2.1", 0);
  for (let i = 0; i < 20_000; i++) limits.takePrefix("email", `t1:email:${i}.example.test`, 0);
  expect(limits.takeAddress("t1:192.0.2.1", 0)).toBe(600);
});

test("a clock that is set back does not block a client IP address for longer than one window", () => {
  const limits = createMessageLimits();
  for (let i = 0; i < 100; i++) limits.takeAddress("t1:192.0.2.1", 9_000_000);
  expect(limits.takeAddress("t1:192.0.2.1", 0)).toBe(0);
});
