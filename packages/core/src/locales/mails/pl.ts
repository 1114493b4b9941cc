import type { MailTexts } from "./texts.ts";

/** What mails and text messages say in Polish. */
export const pl: MailTexts = {
  direction: "ltr",

  codeOrLink: "Można też użyć tego linku:",
  linkInstead: "Jeśli przycisk nie działa, proszę skopiować ten adres do przeglądarki:",
  footer: "Wysłano na adres {address} przez {sender}.",
  help: "Pomoc",

  verifySubject: "Potwierdzenie adresu e-mail",
  verifyLead: "Proszę potwierdzić, że adres {address} jest właściwy. Dzięki temu {sender} wie, do kogo należy to konto.",
  verifyButton: "Potwierdź adres",
  verifyNote: "W razie braku konta w {sender} proszę zignorować tę wiadomość.",

  welcomeSubject: "Witamy w {sender}",
  welcomeLead: "Konto w {sender} jest gotowe. Do logowania służy {address}.",

  resetSubject: "Nowe hasło",
  resetLead: "Ktoś poprosił o nowe hasło do tego konta w {sender}.",
  resetButton: "Wybierz nowe hasło",
  resetNote: "Jeśli prośba jest nieznana, proszę zignorować tę wiadomość: hasło pozostaje bez zmian.",

  loginCodeSubject: "Kod logowania do {app}",
  loginCodeLead: "Aby zalogować się do {app}, proszę wpisać ten kod:",
  loginCodeNote:
    "Kodu nie należy nikomu podawać: kto go ma, może zalogować się na to konto. W razie omyłki proszę zignorować tę wiadomość.",
  loginCodeText: "{code} to kod logowania do {app}. Proszę nikomu go nie podawać.",
  loginLinkSubject: "Logowanie do {app}",
  loginLinkLead: "Ten link służy do logowania do {app}.",
  loginLinkNote:
    "Linku nie należy nikomu podawać: kto go ma, może zalogować się na to konto. W razie omyłki proszę zignorować tę wiadomość.",
  loginLinkText: "Link do logowania do {app}. Proszę nikomu go nie podawać.",
  loginButton: "Zaloguj się",

  invitationSubject: "{inviter} zaprasza do {organization}",
  invitationLead: "{inviter} zaprasza do {organization}.",
  invitationButton: "Przyjmij zaproszenie",
  invitationUntil: "Zaproszenie jest ważne do {time}.",
  invitationNote: "Jeśli zaproszenie jest omyłką, nie trzeba nic robić.",

  passwordChangedSubject: "Hasło zostało zmienione",
  passwordChangedLead: "Hasło do tego konta w {sender} zostało zmienione.",
  passwordChangedNote:
    "Jeśli zmiana jest nieznana, proszę od razu wybrać nowe hasło: wystarczy rozpocząć logowanie i użyć opcji „Nie pamiętam hasła”.",

  blockedSubject: "Zbyt wiele błędnych haseł do konta",
  blockedLead: "Ktoś próbował błędnych haseł do tego konta w {sender}. Przez kilka minut nikt nie może zalogować się na nie hasłem.",
  blockedNote:
    "Jeśli próby są znane, proszę chwilę poczekać i spróbować ponownie. Jeśli nie, nikt się nie zalogował; hasło, które nie jest używane nigdzie indziej, nadal chroni konto.",

  newDeviceSubject: "Nowe logowanie na konto",
  newDeviceLead: "Ktoś zalogował się na to konto w {sender} z urządzenia, które nie było wcześniej używane.",
  newDeviceNote: "Jeśli to logowanie jest znane, nie trzeba nic robić. Jeśli nie, proszę od razu wybrać nowe hasło.",

  linkCodeSubject: "Kod do połączenia z {provider}",
  linkCodeLead: "Aby połączyć {provider} z kontem w {sender}, proszę wpisać ten kod:",
  linkCodeNote:
    "Potem można logować się także przez {provider}. Jeśli ta prośba jest nieznana, proszę zignorować tę wiadomość i nikomu nie podawać kodu.",

  accountLinkedSubject: "{provider} połączono z tym kontem",
  accountLinkedLead: "Na to konto w {sender} można się teraz logować także przez {provider}.",
  accountLinkedNote: "Jeśli ta zmiana jest znana, nie trzeba nic robić. Jeśli nie, proszę od razu skontaktować się z {sender}.",

  accountExistsSubject: "Konto już istnieje",
  accountExistsLead: "Ktoś chciał zarejestrować się w {sender} z tym adresem. Konto z tym adresem już istnieje: wystarczy się zalogować.",
  accountExistsNote:
    "Zapomniane hasło można zmienić w miejscu logowania. Jeśli próba jest nieznana, proszę zignorować tę wiadomość: nic się nie zmieniło.",

  factTime: "Czas",
  factDevice: "Urządzenie",
  factAddress: "Adres sieciowy",
};
