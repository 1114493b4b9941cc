/** What the demo may have to say. The address names one of these, so that no text of a stranger comes onto the page. */
const notices = {
  "signed-out": { isProblem: false, text: "You are signed out, here and at the identity service." },
  declined: { isProblem: false, text: "You did not agree, so nobody was signed in. You can try again at any time." },
  "nobody-there": {
    isProblem: false,
    text: "The silent sign-in found nobody: your session at the identity service has ended. Sign in again with the button.",
  },
  "not-begun-here": {
    isProblem: true,
    text: "That sign-in was begun in another browser, or too long ago. Nothing is lost: please sign in again.",
  },
  "refresh-ended": {
    isProblem: true,
    text: "The refresh token is not accepted any more: it has expired, or the session was ended. Please sign in again.",
  },
  "no-refresh": { isProblem: true, text: "There is no refresh token to use. Please sign in again." },
  failed: { isProblem: true, text: "That did not work. The output of this server says why; please try again." },
} as const;

/** The name of something to say. */
export type NoticeName = keyof typeof notices;

/** Something to say. */
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
