/** The texts of the deliveries of logout tokens. */
export const deliveryTexts = {
  title: "Logout deliveries",
  about: "Logout tokens that apps have not accepted yet. Failed deliveries are listed for a week.",
  app: "App",
  state: "State",
  states: { pending: "Pending", failed: "Failed" } as { readonly [status: string]: string },
  reason: "Reason",
  attempts: "Failed attempts",
  user: "User",
  created: "Session ended",
  emptyTitle: "No open deliveries",
  empty: "Every app has accepted its logout tokens.",
  retry: "Send again",
  retryOf: (client: string, session: string) => `Send the logout token of session ${session} to ${client} again`,
} as const;
