-- Whether a visitor's sign-up created the account, and none of its addresses was ever proven. False for existing accounts.
alter table postern_users add column is_unproven_sign_up boolean not null default false;
