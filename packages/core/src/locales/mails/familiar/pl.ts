import type { MailTexts } from "../texts.ts";

/** What mails and text messages say in other words where people are addressed familiarly in Polish. */
export const plFamiliar: Partial<MailTexts> = {
  codeOrLink: "Możesz też użyć tego linku:",
  linkInstead: "Jeśli przycisk nie działa, skopiuj ten adres do przeglądarki:",

  verifySubject: "Potwierdź swój adres e-mail",
  verifyLead: "Potwierdź, że {address} to Twój adres. Dzięki temu {sender} wie, że to konto należy do Ciebie.",
  verifyNote: "Jeśli nie masz konta w {sender}, zignoruj tę wiadomość.",

  welcomeLead: "Twoje konto w {sender} jest gotowe. Logujesz się za pomocą {address}.",

  resetSubject: "Wybierz nowe hasło",
  resetLead: "Ktoś poprosił o nowe hasło do Twojego konta w {sender}.",
  resetNote: "Jeśli to nie Ty, zignoruj tę wiadomość: hasło pozostaje bez zmian.",

  loginCodeSubject: "Twój kod logowania do {app}",
  loginCodeLead: "Wpisz ten kod, aby zalogować się do {app}:",
  loginCodeNote:
    "Nie podawaj nikomu tego kodu: kto go ma, może zalogować się jako Ty. Jeśli nie chcesz się logować, zignoruj tę wiadomość.",
  loginCodeText: "{code} to Twój kod logowania do {app}. Nie podawaj go nikomu.",
  loginLinkLead: "Użyj tego linku, aby zalogować się do {app}.",
  loginLinkNote:
    "Nie podawaj nikomu tego linku: kto go ma, może zalogować się jako Ty. Jeśli nie chcesz się logować, zignoruj tę wiadomość.",
  loginLinkText: "Zaloguj się do {app} tym linkiem. Nie podawaj go nikomu.",

  invitationSubject: "{inviter} zaprasza Cię do {organization}",
  invitationLead: "{inviter} zaprasza Cię do {organization}.",
  invitationNote: "Jeśli nie wiesz, skąd to zaproszenie, nie rób nic.",

  passwordChangedSubject: "Twoje hasło zostało zmienione",
  passwordChangedLead: "Hasło do Twojego konta w {sender} zostało zmienione.",
  passwordChangedNote: "Jeśli to nie Ty, od razu wybierz nowe hasło: zacznij się logować i użyj opcji „Nie pamiętam hasła”.",

  blockedSubject: "Zbyt wiele błędnych haseł do Twojego konta",
  blockedLead: "Ktoś próbował błędnych haseł do Twojego konta w {sender}. Przez kilka minut nikt nie może zalogować się na nie hasłem.",
  blockedNote:
    "Jeśli to Ty, poczekaj chwilę i spróbuj ponownie. Jeśli nie, nikt się nie zalogował; hasło, którego nie używasz nigdzie indziej, nadal chroni konto.",

  newDeviceSubject: "Nowe logowanie na Twoje konto",
  newDeviceLead: "Ktoś zalogował się na Twoje konto w {sender} z urządzenia, które nie było wcześniej używane.",
  newDeviceNote: "Jeśli to Ty, nie musisz nic robić. Jeśli nie, od razu wybierz nowe hasło.",

  linkCodeSubject: "Twój kod do połączenia z {provider}",
  linkCodeLead: "Wpisz ten kod, aby połączyć {provider} ze swoim kontem w {sender}:",
  linkCodeNote:
    "Potem możesz logować się także przez {provider}. Jeśli to nie Twoja prośba, zignoruj tę wiadomość i nikomu nie podawaj kodu.",

  accountLinkedSubject: "{provider} połączono z Twoim kontem",
  accountLinkedLead: "Na Twoje konto w {sender} można się teraz logować także przez {provider}.",
  accountLinkedNote: "Jeśli to Ty, nie musisz nic robić. Jeśli nie, od razu skontaktuj się z {sender}.",

  accountExistsSubject: "Masz już konto",
  accountExistsLead: "Ktoś chciał zarejestrować się w {sender} z tym adresem. Masz już konto: po prostu się zaloguj.",
  accountExistsNote:
    "Jeśli nie pamiętasz hasła, wybierz nowe w miejscu logowania. Jeśli to nie Ty, zignoruj tę wiadomość: nic się nie zmieniło.",
};
