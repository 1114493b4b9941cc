-- The messages that were sent to one email address or phone number, and the guesses at its codes, in the last hours. Changed by compare-and-swap on `revision`.
create table postern_destination_budgets (
  tenant_id varchar(64) collate "C" not null,
  subject_hash varchar(64) collate "C" not null,
  recent text collate "C" not null,
  revision bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  primary key (tenant_id, subject_hash)
);
create index postern_destination_budgets_across_expires_at on postern_destination_budgets (expires_at);
