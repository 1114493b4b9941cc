-- The number of messages to new phone numbers within an hour: of one user, to one number, to one range of numbers, or of one tenant. Counted by conditional updates. `members` contains hashes of the numbers to which the user had messages sent.
create table postern_message_counts (
  subject_hash varchar(64) collate "C" not null,
  events bigint not null,
  members text collate "C" not null,
  expires_at bigint not null,
  primary key (subject_hash)
);
create index postern_message_counts_across_expires_at on postern_message_counts (expires_at);
