-- The messages that were sent to one email address or phone number, and the guesses at its codes, in the last hours. Changed by compare-and-swap on `revision`.
create table postern_destination_budgets (
  tenant_id text not null,
  subject_hash text not null,
  recent text not null,
  revision integer not null,
  updated_at integer not null,
  expires_at integer not null,
  primary key (tenant_id, subject_hash)
) strict;
create index postern_destination_budgets_across_expires_at on postern_destination_budgets (expires_at);
