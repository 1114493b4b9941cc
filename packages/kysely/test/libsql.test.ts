import Database from "libsql";
import { describe } from "vitest";
import { keepsTheSqliteContract } from "./sqlite-contract.ts";

describe("libsql", () => keepsTheSqliteContract((path) => new Database(path)));
