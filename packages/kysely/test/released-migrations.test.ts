import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The first characters of each migration file's SHA-256 hash. Add a line for a new file.
 * From the first release on, existing lines never change.
 */
const released: { readonly [file: string]: string } = {
  "mysql/0001_initial.sql": "824ac1e286b63226",
  "postgres/0001_initial.sql": "8df3f96c7dcb20cc",
  "sqlite/0001_initial.sql": "1a74ccebfe3975d4",
};

const folder = new URL("../src/migrations/", import.meta.url);
const files = ["mysql", "postgres", "sqlite"].flatMap((dialect) =>
  readdirSync(new URL(`${dialect}/`, folder)).map((name) => `${dialect}/${name}`),
);

test("keeps every released migration unchanged", () => {
  const hashes = files.map((file) => [
    file,
    createHash("sha256")
      .update(readFileSync(new URL(file, folder)))
      .digest("hex")
      .slice(0, 16),
  ]);
  expect(Object.fromEntries(hashes)).toEqual(released);
});
