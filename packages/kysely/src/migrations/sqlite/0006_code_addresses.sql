-- A code that was requested with /passwordless/start is bound to the client address of that request.
alter table postern_one_time_codes add column address_hash text;
