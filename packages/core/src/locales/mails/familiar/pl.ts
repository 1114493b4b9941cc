import type { MailTexts } from "../texts.ts";

/** The Polish texts for mails that differ with the familiar form of address, "ty". */
export const plFamiliarMails: Partial<MailTexts> = {
  codeOrLink: "Możesz też użyć tego linku:",
  linkInstead: "Jeśli przycisk nie działa, skopiuj ten adres do przeglądarki:",

  verifySubject: "Potwierdź swój adres e-mail",
  verifyLead: "Potwierdź, że {address} to adres e-mail Twojego konta w {sender}.",
  verifyNote: "Jeśli nie masz konta w {sender}, zignoruj tę wiadomość.",

  welcomeLead: "Twoje konto w {sender} jest gotowe. Logujesz się za pomocą {address}.",

  resetSubject: "Wybierz nowe hasło",
  resetLead: "Otrzymaliśmy prośbę o nowe hasło do Twojego konta w {sender}.",
  resetNote: "Jeśli to nie Twoja prośba, zignoruj tę wiadomość. Hasło pozostaje bez zmian.",

  loginCodeSubject: "Twój kod logowania do {app}",
  loginCodeLead: "Wpisz ten kod, aby zalogować się do {app}:",
  loginCodeNote:
    "Nie podawaj nikomu tego kodu. Każdy, kto go ma, może zalogować się jako Ty. Jeśli nie próbujesz się zalogować, zignoruj tę wiadomość.",
  loginCodeText: "{code} to Twój kod logowania do {app}. Nie podawaj go nikomu.",
  loginLinkLead: "Użyj tego linku, aby zalogować się do {app}.",
  loginLinkNote:
    "Nie podawaj nikomu tego linku. Każdy, kto go ma, może zalogować się jako Ty. Jeśli nie próbujesz się zalogować, zignoruj tę wiadomość.",
  loginLinkText: "Zaloguj się do {app} tym linkiem. Nie podawaj go nikomu.",

  invitationSubject: "{inviter} zaprasza Cię do {organization}",
  invitationLead: "{inviter} zaprasza Cię do {organization}.",
  invitationNote: "Jeśli nie spodziewasz się tego zaproszenia, zignoruj tę wiadomość.",

  passwordChangedSubject: "Twoje hasło zostało zmienione",
  passwordChangedLead: "Hasło do Twojego konta w {sender} zostało zmienione.",
  passwordChangedNote: "Jeśli to nie Ty, od razu wybierz nowe hasło: rozpocznij logowanie i wybierz „Nie pamiętam hasła”.",

  blockedSubject: "Zbyt wiele błędnych haseł do Twojego konta",
  blockedLead:
    "Zbyt wiele razy próbowano zalogować się na Twoje konto w {sender} z błędnym hasłem. Logowanie hasłem jest zablokowane na kilka minut.",
  blockedNote:
    "Jeśli to Ty, odczekaj kilka minut i spróbuj ponownie. W przeciwnym razie próby się nie powiodły. Hasło, którego nie używasz nigdzie indziej, chroni Twoje konto.",

  newDeviceSubject: "Nowe logowanie na Twoje konto",
  newDeviceLead: "Na Twoje konto w {sender} zalogowano się z nowego urządzenia.",
  newDeviceNote: "Jeśli to Ty, nie musisz nic robić. W przeciwnym razie od razu wybierz nowe hasło.",

  factorCodeSubject: "Twój kod weryfikacyjny do {app}",
  factorCodeLead: "Wpisz ten kod, aby dokończyć logowanie do {app}:",
  factorCodeNote: "Nikomu nie podawaj tego kodu. Jeśli to nie Twoja próba logowania, ktoś zna Twoje hasło: wybierz nowe.",
  factorCodeText: "{code} to Twój kod weryfikacyjny do {app}. Nikomu go nie podawaj.",
  factorCodeSpoken: "Twój kod weryfikacyjny do {app} to {code}. Powtarzamy: {code}. Nikomu go nie podawaj.",
  factorAddedSubject: "Do Twojego konta dodano metodę logowania",
  factorAddedLead: "Weryfikacja dwuetapowa Twojego konta w {sender} ma teraz kolejną metodę: {factor}.",
  factorRemovedSubject: "Z Twojego konta usunięto metodę logowania",
  factorRemovedLead: "Weryfikacja dwuetapowa Twojego konta w {sender} nie ma już tej metody: {factor}.",
  factorChangedNote:
    "Jeśli to Twoja zmiana, nie musisz nic robić. W przeciwnym razie od razu wybierz nowe hasło i skontaktuj się z {sender}.",
  factorReplacedSubject: "Zastąpiono metodę logowania Twojego konta",
  factorReplacedLead: "Ta metoda weryfikacji dwuetapowej Twojego konta w {sender} została zastąpiona: {factor}. Poprzednia już nie działa.",

  enrollLead: "Dodaj kolejny sposób potwierdzania logowania do {sender}.",
  enrollNote: "Link jest ważny przez pięć dni i można go użyć raz. Jeśli nie masz konta w {sender}, zignoruj tę wiadomość.",
  factorAdministratorNote: "Tę zmianę wprowadził administrator. Jeśli jest nieoczekiwana, skontaktuj się z {sender}.",
  factorLockedSubject: "Zbyt wiele błędnych kodów do Twojego konta",
  factorLockedLead:
    "Ktoś podał Twoje hasło do {sender}, a potem zbyt wiele błędnych kodów. Ta metoda weryfikacji dwuetapowej jest zablokowana na kilka minut.",
  factorLockedNote: "Jeśli to Twoje próby, odczekaj kilka minut lub użyj innej metody. W przeciwnym razie od razu wybierz nowe hasło.",

  deletionNote: "Jeśli to nie była twoja prośba, zaloguj się teraz, zachowaj konto i wybierz nowe hasło.",

  linkCodeSubject: "Twój kod do połączenia z {provider}",
  linkCodeLead: "Wpisz ten kod, aby połączyć {provider} ze swoim kontem w {sender}:",
  linkCodeNote:
    "Potem możesz logować się także przez {provider}. Jeśli to nie Twoja prośba, zignoruj tę wiadomość i nikomu nie podawaj kodu.",

  accountLinkedSubject: "{provider} połączono z Twoim kontem",
  accountLinkedLead: "Na Twoje konto w {sender} można się teraz logować także przez {provider}.",
  accountLinkedNote: "Jeśli to Ty, nie musisz nic robić. W przeciwnym razie od razu skontaktuj się z {sender}.",

  accountExistsSubject: "Masz już konto",
  accountExistsLead: "Próbowano zarejestrować się w {sender} z Twoim adresem. Masz już konto: po prostu się zaloguj.",
  accountExistsNote:
    "Jeśli nie pamiętasz hasła, możesz wybrać nowe podczas logowania. Jeśli to nie Ty, zignoruj tę wiadomość. Nic się nie zmieniło.",
};
