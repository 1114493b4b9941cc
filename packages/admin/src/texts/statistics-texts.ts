/** The texts of the charts on the home page. */
export const statisticsTexts = {
  title: "The last 30 days",
  asOf: "As of",
  logins: "Sign-ins",
  failures: "Failed sign-ins",
  signups: "Sign-ups",
  active: "Active users",
  reasons: "Why sign-ins failed",
  numbers: "Show the numbers",
  day: "Day (UTC)",
  emptyTitle: "Nothing counted yet",
  empty: "The sweep of the service counts events from the log, a few minutes after they happened.",
} as const;
