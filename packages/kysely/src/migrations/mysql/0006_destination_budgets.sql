-- The messages that were sent to one email address or phone number, and the guesses at its codes, in the last hours. Changed by compare-and-swap on `revision`.
create table if not exists postern_destination_budgets (
  tenant_id varbinary(64) not null,
  subject_hash varbinary(64) not null,
  recent longtext not null,
  revision bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, subject_hash),
  index postern_destination_budgets_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;
