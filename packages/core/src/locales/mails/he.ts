import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in Hebrew. */
export const he: MailTexts = {
  direction: "rtl",

  codeOrLink: "אפשר גם להשתמש בקישור הזה:",
  linkInstead: "אם הלחצן לא פועל, יש להעתיק את הכתובת הזו לדפדפן:",
  footer: "נשלח אל {address} מאת {sender}.",
  help: "עזרה",

  verifySubject: "אישור כתובת הדוא״ל שלך",
  verifyLead: "יש לאשר שהכתובת {address} היא שלך, כדי שאצל {sender} יידעו שהחשבון הזה שלך.",
  verifyButton: "אישור הכתובת",
  verifyNote: "אם אין לך חשבון אצל {sender}, אפשר להתעלם מההודעה הזו.",

  welcomeSubject: "ברוך בואך אל {sender}",
  welcomeLead: "החשבון שלך אצל {sender} מוכן. מתחברים עם {address}.",

  resetSubject: "בחירת סיסמה חדשה",
  resetLead: "מישהו ביקש סיסמה חדשה לחשבון שלך אצל {sender}.",
  resetButton: "בחירת סיסמה חדשה",
  resetNote: "אם הבקשה לא שלך, אפשר להתעלם מההודעה הזו: הסיסמה לא תשתנה.",

  loginCodeSubject: "קוד ההתחברות שלך אל {app}",
  loginCodeLead: "כדי להתחבר אל {app} יש להזין את הקוד הזה:",
  loginCodeNote: "אין למסור את הקוד לאיש: מי שמחזיק בו יכול להתחבר בשמך. אם לא ביקשת להתחבר, אפשר להתעלם מההודעה הזו.",
  loginCodeText: "{code} הוא קוד ההתחברות שלך אל {app}. אין למסור אותו לאיש.",
  loginLinkSubject: "התחברות אל {app}",
  loginLinkLead: "הקישור הזה מיועד להתחברות אל {app}.",
  loginLinkNote: "אין למסור את הקישור לאיש: מי שמחזיק בו יכול להתחבר בשמך. אם לא ביקשת להתחבר, אפשר להתעלם מההודעה הזו.",
  loginLinkText: "קישור להתחברות אל {app}. אין למסור אותו לאיש.",
  loginButton: "התחברות",

  invitationSubject: "הזמנה מאת {inviter} אל {organization}",
  invitationLead: "הזמנה מאת {inviter} להצטרף אל {organization}.",
  invitationButton: "קבלת ההזמנה",
  invitationUntil: "ההזמנה תקפה עד {time}.",
  invitationNote: "אם לא ברור לך מדוע קיבלת אותה, אין צורך לעשות דבר.",

  passwordChangedSubject: "הסיסמה שלך שונתה",
  passwordChangedLead: "הסיסמה של החשבון שלך אצל {sender} שונתה.",
  passwordChangedNote: "אם השינוי לא שלך, יש לבחור מיד סיסמה חדשה: להתחיל בהתחברות ולציין שהסיסמה נשכחה.",

  blockedSubject: "יותר מדי סיסמאות שגויות בחשבון שלך",
  blockedLead: "מישהו ניסה סיסמאות שגויות בחשבון שלך אצל {sender}. במשך כמה דקות אי אפשר להתחבר אליו עם סיסמה.",
  blockedNote: "אם הניסיונות שלך, כדאי להמתין קצת ולנסות שוב. אם לא, איש לא נכנס, וסיסמה שאינה בשימוש בשום מקום אחר תשמור על כך.",

  newDeviceSubject: "התחברות חדשה לחשבון שלך",
  newDeviceLead: "מישהו התחבר לחשבון שלך אצל {sender} ממכשיר שלא היה בשימוש קודם.",
  newDeviceNote: "אם ההתחברות שלך, אין צורך לעשות דבר. אם לא, יש לבחור מיד סיסמה חדשה.",

  linkCodeSubject: "הקוד שלך לקישור {provider}",
  linkCodeLead: "כדי לקשר את {provider} לחשבון שלך אצל {sender} יש להזין את הקוד הזה:",
  linkCodeNote: "אחרי הקישור אפשר יהיה להתחבר גם דרך {provider}. אם לא ביקשת זאת, אפשר להתעלם מההודעה הזו ואין למסור את הקוד לאיש.",

  accountLinkedSubject: "{provider} קושר לחשבון שלך",
  accountLinkedLead: "מעכשיו אפשר להתחבר לחשבון שלך אצל {sender} גם דרך {provider}.",
  accountLinkedNote: "אם הקישור שלך, אין צורך לעשות דבר. אם לא, יש לפנות מיד אל {sender}.",

  accountExistsSubject: "כבר יש לך חשבון",
  accountExistsLead: "מישהו ניסה להירשם אצל {sender} עם הכתובת הזו. כבר יש לך חשבון: אפשר פשוט להתחבר.",
  accountExistsNote: "אם שכחת את הסיסמה, אפשר לבחור חדשה במקום שבו מתחברים. אם הניסיון לא שלך, אפשר להתעלם מההודעה הזו: דבר לא השתנה.",

  factTime: "זמן",
  factDevice: "מכשיר",
  factAddress: "כתובת רשת",
};
