alter table postern_users add column email_proof varchar(16) collate "C", add column proven_email varchar(320) collate "C";
