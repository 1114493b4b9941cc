-- How far a log stream searched its log for late events, and how many events there are handled.
alter table postern_log_streams add column window_state text;
