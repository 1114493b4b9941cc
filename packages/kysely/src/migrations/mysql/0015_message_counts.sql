-- The number of messages to new phone numbers within an hour: of one user, to one number, to one range of numbers, or of one tenant. Counted by conditional updates. `members` contains hashes of the numbers to which the user had messages sent.
create table if not exists postern_message_counts (
  subject_hash varbinary(64) not null,
  events bigint not null,
  members longtext not null,
  expires_at bigint not null,
  primary key (subject_hash),
  index postern_message_counts_across_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin row_format = dynamic;
