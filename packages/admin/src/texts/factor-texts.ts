/** The texts of the settings for second factors. */
export const factorTexts = {
  policies: "When a factor is required",
  policiesAbout: "Users without a factor add one at their next sign-in.",
  policy: "A second factor is required",
  policyTexts: {
    none: "Only if an action requires one",
    "all-applications": "At each sign-in",
    "confidence-score": "At each sign-in (confidence score)",
  } as { readonly [policy: string]: string },
  policyEditAbout: "Applies to the next sign-in of every user and to every app.",

  title: "Factors",
  about: "Users can add and use the factors that are on. A factor that is off stays stored at the users who have it.",
  factor: "Factor",
  state: "State",
  on: "On",
  off: "Off",
  unsupported: "Not supported",
  names: {
    otp: "Authenticator app",
    sms: "Phone",
    email: "Email",
    "webauthn-roaming": "Security key",
    "webauthn-platform": "Device biometrics",
    "recovery-code": "Recovery code",
    "push-notification": "Push notification",
    duo: "Duo",
  } as { readonly [factor: string]: string },
  hints: {
    otp: "A code from an app such as the password manager of the device.",
    sms: "A code by text message or voice call. The host application passes the sender.",
    email: "A code by email. Only as strong as the mailbox.",
    "webauthn-roaming": "The strongest factor: it cannot be phished.",
    "recovery-code": "A code that users keep for the day when they lose their other factor.",
  } as { readonly [factor: string]: string },
  turnOn: "Turn on",
  turnOff: "Turn off",
  turnOnTitle: (name: string) => `Turn on the factor ${name}?`,
  turnOffTitle: (name: string) => `Turn off the factor ${name}?`,
  turnOnAbout: "Users can add it from now on. It is required of no user: the policy decides that.",
  turnOffAbout: "Users who have only this factor must add another one if a factor is required.",

  phone: "Codes by phone",
  messages: "Users receive codes by",
  messageTexts: { sms: "Text message", voice: "Voice call" } as { readonly [type: string]: string },
  noMessages: "No message: users receive no codes by phone",
  phoneEditAbout: "If both are on, users choose when they add their phone.",

  remember: "Remembered browsers",
  rememberOffer: "Users may skip the factor in a browser that they trust",
  rememberChecked: "The checkbox is checked at first",
  rememberIdle: "Forget an unused browser after",
  rememberMost: "Forget every browser after",
  seconds: "In seconds. A day has 86400.",
  duration: (seconds: number) => {
    const [count, unit] =
      seconds % 86_400 === 0 ? [seconds / 86_400, "day"] : seconds % 3600 === 0 ? [seconds / 3600, "hour"] : [seconds, "second"];
    return `${count} ${count === 1 ? unit : `${unit}s`}`;
  },
  rememberEditAbout: "Without the offer, browsers that users trust already are forgotten.",
} as const;
