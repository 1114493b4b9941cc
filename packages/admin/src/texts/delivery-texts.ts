/** The texts of the deliveries of logout tokens. */
export const deliveryTexts = {
  title: "Logout deliveries",
  about: "Logout tokens that apps have not accepted yet. Failed deliveries are listed for a week.",
  app: "App and user",
  state: "State",
  states: { pending: "Pending", failed: "Failed" } as { readonly [status: string]: string },
  reason: "Reason",
  attempts: (count: number) => (count === 1 ? "1 failed attempt" : `${count} failed attempts`),
  created: "Session ended",
  emptyTitle: "No open deliveries",
  empty: "Every app has accepted its logout tokens.",
  retry: "Send again",
  retryOf: (client: string, session: string) => `Send again: logout token of session ${session} to ${client}`,
} as const;
