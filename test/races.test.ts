import { openDatabase } from "@postern/kysely/url";
import { memoryAdapter } from "@postern/memory";
import { describe } from "vitest";
import { racesOn } from "./support/races.ts";

describe("in memory", () => racesOn(async () => memoryAdapter({ strict: true })));

describe("on SQLite", () =>
  racesOn(async () => {
    const data = await openDatabase("sqlite::memory:");
    await data.migrate();
    return data;
  }));
