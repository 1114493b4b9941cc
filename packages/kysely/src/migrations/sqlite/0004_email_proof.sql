alter table postern_users add column email_proof text;
alter table postern_users add column proven_email text;
