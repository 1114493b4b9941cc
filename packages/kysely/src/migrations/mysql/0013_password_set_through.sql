-- The email address through which a user set the password, until another factor confirms it. Null for existing passwords.
alter table postern_passwords add column set_through varbinary(1280);
