import Database from "better-sqlite3";
import { describe } from "vitest";
import { keepsTheSqliteContract } from "./sqlite-contract.ts";

describe("better-sqlite3", () => keepsTheSqliteContract((path) => new Database(path)));
