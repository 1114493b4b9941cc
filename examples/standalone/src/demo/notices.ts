/**
 * The messages of the demo. The URL contains only the name of a message, so that another website cannot inject text
 * into the page.
 */
const notices = {
  "signed-out": { isProblem: false, text: "You are signed out, here and at the identity service." },
  declined: { isProblem: false, text: "You declined, so you are not signed in. You can try again at any time." },
  "no-session": {
    isProblem: false,
    text: "Silent sign-in failed: your session at the identity service has ended. Sign in again with the button.",
  },
  "not-started-here": {
    isProblem: true,
    text: "This sign-in was started in another browser, or has expired. Please sign in again.",
  },
  "refresh-ended": {
    isProblem: true,
    text: "The refresh token is no longer valid: it has expired, or the session was ended. Please sign in again.",
  },
  "no-refresh": { isProblem: true, text: "There is no refresh token. Please sign in again." },
  failed: { isProblem: true, text: "Something went wrong. See the output of this server, and try again." },
} as const;

/** The name of a message. */
export type NoticeName = keyof typeof notices;

/** A message of the demo. */
export interface Notice {
  readonly isProblem: boolean;
  readonly text: string;
}

export function findNotice(name: string | null): Notice | undefined {
  return name !== null && isNoticeName(name) ? notices[name] : undefined;
}

function isNoticeName(name: string): name is NoticeName {
  return Object.hasOwn(notices, name);
}
