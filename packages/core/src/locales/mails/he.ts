import type { MailTexts } from "./texts.ts";

/** The Hebrew texts for mails and text messages. */
export const heMails: MailTexts = {
  direction: "rtl",

  codeOrLink: "אפשר גם להשתמש בקישור הזה:",
  linkInstead: "אם הלחצן לא פועל, יש להעתיק את הכתובת הזו לדפדפן:",
  footer: "נשלח אל {address} מאת {sender}.",
  help: "עזרה",

  verifySubject: "אישור כתובת הדוא״ל שלך",
  verifyLead: "יש לאשר שהכתובת {address} היא כתובת הדוא״ל של החשבון שלך אצל {sender}.",
  verifyButton: "אישור הכתובת",
  verifyNote: "אם אין לך חשבון אצל {sender}, אפשר להתעלם מההודעה הזו.",

  welcomeSubject: "ברוך בואך אל {sender}",
  welcomeLead: "החשבון שלך אצל {sender} מוכן. מתחברים עם {address}.",

  resetSubject: "בחירת סיסמה חדשה",
  resetLead: "קיבלנו בקשה לסיסמה חדשה לחשבון שלך אצל {sender}.",
  resetButton: "בחירת סיסמה חדשה",
  resetNote: "אם הבקשה לא שלך, אפשר להתעלם מההודעה הזו. הסיסמה לא תשתנה.",

  enrollSubject: "הגדרת אימות דו־שלבי לחשבון שלך",
  enrollLead: "יש להוסיף דרך נוספת לאישור ההתחברות אל {sender}.",
  enrollButton: "הגדרה",
  enrollNote: "הקישור תקף לחמישה ימים ולשימוש אחד. אם אין לך חשבון אצל {sender}, אפשר להתעלם מההודעה הזו.",

  loginCodeSubject: "קוד ההתחברות שלך אל {app}",
  loginCodeLead: "כדי להתחבר אל {app} יש להזין את הקוד הזה:",
  loginCodeNote: "אין לשתף את הקוד הזה. מי שמחזיק בו יכול להתחבר בשמך. אם לא ניסית להתחבר, אפשר להתעלם מההודעה הזו.",
  loginCodeText: "{code} הוא קוד ההתחברות שלך אל {app}. אין לשתף אותו.",
  loginLinkSubject: "התחברות אל {app}",
  loginLinkLead: "הקישור הזה מיועד להתחברות אל {app}.",
  loginLinkNote: "אין לשתף את הקישור הזה. מי שמחזיק בו יכול להתחבר בשמך. אם לא ניסית להתחבר, אפשר להתעלם מההודעה הזו.",
  loginLinkText: "קישור להתחברות אל {app}. אין לשתף אותו.",
  loginButton: "התחברות",

  invitationSubject: "הזמנה מאת {inviter} אל {organization}",
  invitationLead: "הזמנה מאת {inviter} להצטרף אל {organization}.",
  invitationButton: "קבלת ההזמנה",
  invitationUntil: "ההזמנה תקפה עד {time}.",
  invitationNote: "אם ההזמנה לא הייתה צפויה, אפשר להתעלם מההודעה הזו.",

  passwordChangedSubject: "הסיסמה שלך שונתה",
  passwordChangedLead: "הסיסמה של החשבון שלך אצל {sender} שונתה.",
  passwordChangedNote: "אם השינוי לא שלך, יש לבחור מיד סיסמה חדשה: להתחיל בהתחברות ולבחור „שכחת את הסיסמה?”.",

  blockedSubject: "יותר מדי סיסמאות שגויות בחשבון שלך",
  blockedLead: "היו יותר מדי ניסיונות להתחבר לחשבון שלך אצל {sender} עם סיסמה שגויה. ההתחברות עם סיסמה חסומה לכמה דקות.",
  blockedNote: "אם הניסיונות שלך, יש להמתין כמה דקות ולנסות שוב. אם לא, הניסיונות נכשלו. סיסמה שאינה בשימוש בשום מקום אחר מגינה על החשבון.",

  newDeviceSubject: "התחברות חדשה לחשבון שלך",
  newDeviceLead: "התבצעה התחברות לחשבון שלך אצל {sender} ממכשיר חדש.",
  newDeviceNote: "אם ההתחברות שלך, אין צורך לעשות דבר. אם לא, יש לבחור מיד סיסמה חדשה.",

  factorCodeSubject: "קוד האימות שלך עבור {app}",
  factorCodeLead: "יש להזין את הקוד הזה כדי להשלים את ההתחברות אל {app}:",
  factorCodeNote: "אין לשתף את הקוד. אם לא ניסית להתחבר, מישהו יודע את הסיסמה שלך: יש לבחור סיסמה חדשה.",
  factorCodeText: "{code} הוא קוד האימות שלך עבור {app}. אין לשתף אותו.",
  factorCodeSpoken: "קוד האימות שלך עבור {app} הוא {code}. שוב: {code}. אין לשתף אותו.",
  factorTotp: "אפליקציית אימות",
  factorPhone: "טלפון",
  factorEmail: "כתובת דוא״ל",
  factorRecoveryCode: "קוד שחזור",
  factorSecurityKey: "מפתח אבטחה",
  factorDevice: "מכשיר",
  factorPasskey: "מפתח גישה",
  factorAddedSubject: "דרך התחברות נוספה לחשבון שלך",
  factorAddedLead: "לאימות הדו־שלבי של החשבון שלך אצל {sender} נוספה דרך: {factor}.",
  factorRemovedSubject: "דרך התחברות הוסרה מהחשבון שלך",
  factorRemovedLead: "מהאימות הדו־שלבי של החשבון שלך אצל {sender} הוסרה דרך: {factor}.",
  factorUpdatedSubject: "דרך התחברות בחשבון שלך שונתה",
  factorUpdatedLead: "באימות הדו־שלבי של החשבון שלך אצל {sender} שונתה הדרך הזו: {factor}.",
  factorChangedNote: "אם השינוי שלך, אין צורך לעשות דבר. אם לא, יש לבחור מיד סיסמה חדשה ולפנות אל {sender}.",
  factorReplacedSubject: "דרך התחברות של החשבון שלך הוחלפה",
  factorReplacedLead: "באימות הדו־שלבי של החשבון שלך אצל {sender} הוחלפה דרך: {factor}. הקודמת כבר לא פועלת.",
  factorUndoButton: "השינוי לא שלי",
  factorUndoNote: "הכפתור מנתק את החשבון מכל המכשירים ומשהה שינויים בדרכי ההתחברות במשך 24 שעות. הוא פועל במשך 7 ימים.",

  factorAdministratorNote: "השינוי בוצע בידי מנהל מערכת. אם הוא לא היה צפוי, יש לפנות אל {sender}.",
  factorLockedSubject: "יותר מדי קודים שגויים בחשבון שלך",
  factorLockedLead: "מישהו הזין את הסיסמה שלך אצל {sender} ואחריה יותר מדי קודים שגויים. הדרך הזו באימות הדו־שלבי חסומה לכמה דקות.",
  factorLockedNote: "אם הניסיונות שלך, יש להמתין כמה דקות או להשתמש בדרך אחרת. אם לא, יש לבחור מיד סיסמה חדשה.",

  deletionSubject: "החשבון שלך יימחק",
  deletionReminderSubject: "החשבון שלך יימחק בקרוב",
  deletionLead: "החשבון שלך אצל {sender} יימחק ב-{time}, לפי הבקשה.",
  deletionKeep: "כדי לשמור את החשבון, יש להיכנס לפני כן.",
  deletionNote: "אם הבקשה לא הגיעה ממך, יש להיכנס עכשיו, לשמור את החשבון ולבחור סיסמה חדשה.",

  linkCodeSubject: "הקוד שלך לקישור {provider}",
  linkCodeLead: "כדי לקשר את {provider} לחשבון שלך אצל {sender} יש להזין את הקוד הזה:",
  linkCodeNote: "אחרי הקישור אפשר יהיה להתחבר גם דרך {provider}. אם לא ביקשת זאת, אפשר להתעלם מההודעה הזו. אין לשתף את הקוד.",

  accountLinkedSubject: "{provider} קושר לחשבון שלך",
  accountLinkedLead: "מעכשיו אפשר להתחבר לחשבון שלך אצל {sender} גם דרך {provider}.",
  accountLinkedNote: "אם הקישור שלך, אין צורך לעשות דבר. אם לא, יש לפנות מיד אל {sender}.",

  accountExistsSubject: "כבר יש לך חשבון",
  accountExistsLead: "היה ניסיון להירשם אצל {sender} עם הכתובת הזו. כבר יש לך חשבון: אפשר פשוט להתחבר.",
  accountExistsNote: "אם שכחת את הסיסמה, אפשר לבחור סיסמה חדשה בזמן ההתחברות. אם הניסיון לא שלך, אפשר להתעלם מההודעה הזו. דבר לא השתנה.",

  factTime: "זמן",
  factDevice: "מכשיר",
  factAddress: "כתובת IP",
};
