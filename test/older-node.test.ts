import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, expect, onTestFinished, test } from "vitest";

beforeEach(() => {
  const { versions } = process;
  onTestFinished(() => void Object.defineProperty(process, "versions", { value: versions }));
  Object.defineProperty(process, "versions", { value: { ...versions, node: "20.20.2" } });
});

const sentence = "Postern needs Node 22.18 or later; this is 20.20.2";

test("createPostern rejects an older Node.js with one sentence", () => {
  const options = {
    issuer: "https://id.example.test/",
    data: createMemoryAdapter(),
    crypto: { secret: "0123456789abcdef0123456789abcdef" },
  };
  expect(() => createPostern({ ...options, defaultTenantId: "main" })).toThrow(sentence);
});

test("openDatabase rejects an older Node.js before it loads a driver", async () => {
  await expect(openDatabase("sqlite::memory:")).rejects.toThrow(sentence);
});
