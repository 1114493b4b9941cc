import { openDatabase } from "@postern/kysely/url";
import { describe } from "vitest";
import { testPasskeyRaces } from "../support/races-of-passkeys.ts";

describe("on SQLite", () =>
  testPasskeyRaces(async () => {
    const data = await openDatabase("sqlite::memory:");
    await data.migrate();
    return [data, data];
  }));
