import { describe, expect, test } from "vitest";
import { mysql } from "../src/dialects/mysql.ts";
import { postgres } from "../src/dialects/postgres.ts";

const mysqlError = (errno: number): Error => Object.assign(new Error("MySQL error"), { errno });
const postgresError = (code: string): Error => Object.assign(new Error("PostgreSQL error"), { code });

describe("errors of MySQL and MariaDB", () => {
  test.each([
    [1062, "duplicate key", "conflict"],
    [1213, "deadlock, or a conflict with another Galera node", "retry"],
    [1205, "lock wait timeout", "retry"],
    [1020, "record has changed since last read", "retry"],
    [3101, "group replication rolled the transaction back", "retry"],
    [1047, "a Galera node without a quorum", "unavailable"],
    [1040, "too many connections", "unavailable"],
    [1053, "server shutdown", "unavailable"],
    [1290, "read_only", "unavailable"],
    [1836, "read-only mode", "unavailable"],
    [1180, "error during commit, result unknown", "unavailable"],
    [3100, "replication hook failed at commit, result unknown", "unavailable"],
    [1146, "no such table", undefined],
  ] as const)("classifies %i (%s) as %s", (errno, _, errorClass) => {
    expect(mysql.classifyError(mysqlError(errno))).toBe(errorClass);
  });

  test("classifies a lost connection as unavailable", () => {
    expect(mysql.classifyError(Object.assign(new Error("lost"), { code: "PROTOCOL_CONNECTION_LOST" }))).toBe("unavailable");
  });
});

describe("errors of PostgreSQL", () => {
  test.each([
    ["23505", "unique_violation", "conflict"],
    ["40001", "serialization_failure", "retry"],
    ["40P01", "deadlock_detected", "retry"],
    ["55P03", "lock_not_available", "retry"],
    ["57P01", "admin_shutdown", "retry"],
    ["40003", "statement_completion_unknown", "unavailable"],
    ["25006", "read_only_sql_transaction", "unavailable"],
    ["57P03", "cannot_connect_now", "unavailable"],
    ["53300", "too_many_connections", "unavailable"],
    ["08006", "connection_failure", "unavailable"],
    ["42P01", "undefined_table", undefined],
  ] as const)("classifies %s (%s) as %s", (code, _, errorClass) => {
    expect(postgres.classifyError(postgresError(code))).toBe(errorClass);
  });
});
