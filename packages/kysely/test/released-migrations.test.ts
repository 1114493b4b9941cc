import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * The first characters of each migration file's SHA-256 hash. Add a line for a new file; never change an existing line.
 */
const released: { readonly [file: string]: string } = {
  "mysql/0001_initial.sql": "ef82adbb73454e1e",
  "mysql/0002_former_name.sql": "d2bc2679a4cee264",
  "mysql/0003_log_stream_deliveries.sql": "a29f3d346e1793a5",
  "mysql/0003_log_stream_window.sql": "fd460fdc4398830f",
  "mysql/0004_email_proof.sql": "09158b0093aa8424",
  "mysql/0006_code_addresses.sql": "44e83a96863840d2",
  "mysql/0006_destination_budgets.sql": "3d4af64d0901f0e9",
  "mysql/0007_custom_domains_by_domain.sql": "7324a6f1bc698bd4",
  "mysql/0008_reissued_refresh_tokens.sql": "32edcf1823c75b6f",
  "mysql/0009_factors.sql": "5c4038d97a72c48b",
  "mysql/0010_factor_changes.sql": "53fd552c1d174fea",
  "mysql/0011_factors_changed_at.sql": "9e59051fe444362b",
  "mysql/0012_logs_sorted_by_id.sql": "a67792951a11a7db",
  "mysql/0013_password_set_through.sql": "dcede3fa7f3fe907",
  "mysql/0014_unproven_sign_ups.sql": "8fe0bb08ae73a851",
  "mysql/0015_message_counts.sql": "612408d613d5bce6",
  "mysql/0016_first_factor.sql": "5ad43e59228b3a53",
  "mysql/0016_used_recovery_hashes.sql": "e5563aea38544418",
  "mysql/0017_log_stream_turns.sql": "449315717d346895",
  "postgres/0001_initial.sql": "1485f646edfa6533",
  "postgres/0002_former_name.sql": "4d4dae134177288a",
  "postgres/0003_log_stream_deliveries.sql": "4aaf0541fc8c50ba",
  "postgres/0003_log_stream_window.sql": "21011766776456d0",
  "postgres/0004_email_proof.sql": "5d376371925476a1",
  "postgres/0006_code_addresses.sql": "6b5c78255817f36d",
  "postgres/0006_destination_budgets.sql": "b3112dd7a84f3c23",
  "postgres/0007_custom_domains_by_domain.sql": "7324a6f1bc698bd4",
  "postgres/0008_reissued_refresh_tokens.sql": "32edcf1823c75b6f",
  "postgres/0009_factors.sql": "19311828254b8f12",
  "postgres/0010_factor_changes.sql": "e04a4361bad8fede",
  "postgres/0011_factors_changed_at.sql": "9e59051fe444362b",
  "postgres/0012_logs_sorted_by_id.sql": "88643eaaad22ce37",
  "postgres/0013_password_set_through.sql": "4aff02b4f5723933",
  "postgres/0014_unproven_sign_ups.sql": "00d0f3e4a1f92c35",
  "postgres/0015_message_counts.sql": "9753fef8d03eb54e",
  "postgres/0016_first_factor.sql": "19ccd23dbbe231fd",
  "postgres/0016_used_recovery_hashes.sql": "e5563aea38544418",
  "postgres/0017_log_stream_turns.sql": "fe1da8bff7015d13",
  "sqlite/0001_initial.sql": "b9c9d82eb87840b5",
  "sqlite/0002_former_name.sql": "858d1197046b7925",
  "sqlite/0003_log_stream_deliveries.sql": "7847425217083167",
  "sqlite/0003_log_stream_window.sql": "d3aecc49a6fba8fc",
  "sqlite/0004_email_proof.sql": "eae9fdd3fdbe9ddb",
  "sqlite/0006_code_addresses.sql": "7019a4a0c7c7cb3c",
  "sqlite/0006_destination_budgets.sql": "8ab8d8fc3d7ea896",
  "sqlite/0007_custom_domains_by_domain.sql": "7324a6f1bc698bd4",
  "sqlite/0008_reissued_refresh_tokens.sql": "71a1a7917b34e8d2",
  "sqlite/0009_factors.sql": "b4c8dafcb5231caa",
  "sqlite/0010_factor_changes.sql": "c4a2cebefa709f67",
  "sqlite/0011_factors_changed_at.sql": "07e1099eefcd4d3b",
  "sqlite/0012_logs_sorted_by_id.sql": "88643eaaad22ce37",
  "sqlite/0013_password_set_through.sql": "dec5119fa529ce45",
  "sqlite/0014_unproven_sign_ups.sql": "6d8c2c8ba43e35a6",
  "sqlite/0015_message_counts.sql": "a1407f91d260e7b5",
  "sqlite/0016_first_factor.sql": "1fe6595eeaa397fe",
  "sqlite/0016_used_recovery_hashes.sql": "e5563aea38544418",
  "sqlite/0017_log_stream_turns.sql": "eecc9624174fe12c",
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
