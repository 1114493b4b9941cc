-- From this version on, a confirmed factor has a hash only until its recovery code is stored.
update postern_factors set code_hash = null where type <> 'recovery-code' and confirmed_at is not null and code_hash is not null;
