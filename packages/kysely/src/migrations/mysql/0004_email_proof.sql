alter table postern_users add column email_proof varbinary(64), add column proven_email varbinary(1280);
