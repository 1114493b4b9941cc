import type { MailTexts } from "./texts.ts";

/** The Polish texts for mails and text messages. */
export const plMails: MailTexts = {
  direction: "ltr",

  codeOrLink: "Można też użyć tego linku:",
  linkInstead: "Jeśli przycisk nie działa, proszę skopiować ten adres do przeglądarki:",
  footer: "Wysłano na adres {address} przez {sender}.",
  help: "Pomoc",

  verifySubject: "Potwierdzenie adresu e-mail",
  verifyLead: "Proszę potwierdzić, że {address} to adres e-mail konta w {sender}.",
  verifyButton: "Potwierdź adres",
  verifyNote: "Jeśli konto w {sender} jest nieznane, proszę zignorować tę wiadomość.",

  welcomeSubject: "Witamy w {sender}",
  welcomeLead: "Konto w {sender} jest gotowe. Do logowania służy {address}.",

  testSubject: "Wiadomość testowa od {sender}",
  testLead: "Ta wiadomość została wysłana {time}, aby sprawdzić ustawienia poczty {sender}.",

  resetSubject: "Nowe hasło",
  resetLead: "Otrzymaliśmy prośbę o nowe hasło do tego konta w {sender}.",
  resetButton: "Wybierz nowe hasło",
  resetNote: "Jeśli ta prośba jest nieznana, proszę zignorować tę wiadomość. Hasło pozostaje bez zmian.",

  enrollSubject: "Weryfikacja dwuetapowa dla konta",
  enrollLead: "Proszę dodać kolejny sposób potwierdzania logowania do {sender}.",
  enrollButton: "Włącz",
  enrollNote: "Link jest ważny przez pięć dni i można go użyć raz. Jeśli nie ma takiego konta w {sender}, proszę zignorować tę wiadomość.",

  loginCodeSubject: "Kod logowania do {app}",
  loginCodeLead: "Aby zalogować się do {app}, proszę wpisać ten kod:",
  loginCodeNote:
    "Proszę nikomu nie podawać tego kodu. Umożliwia on zalogowanie się na to konto. Jeśli kod nie był zamawiany, proszę zignorować tę wiadomość.",
  loginCodeText: "{code} to kod logowania do {app}. Proszę nikomu go nie podawać.",
  loginLinkSubject: "Logowanie do {app}",
  loginLinkLead: "Ten link służy do logowania do {app}.",
  loginLinkNote:
    "Proszę nikomu nie podawać tego linku. Umożliwia on zalogowanie się na to konto. Jeśli link nie był zamawiany, proszę zignorować tę wiadomość.",
  loginLinkText: "Link do logowania do {app}. Proszę nikomu go nie podawać.",
  loginButton: "Zaloguj się",

  invitationSubject: "{inviter} zaprasza do {organization}",
  invitationLead: "{inviter} zaprasza do {organization}.",
  invitationButton: "Przyjmij zaproszenie",
  invitationUntil: "Zaproszenie jest ważne do {time}.",
  invitationNote: "Jeśli to zaproszenie jest nieoczekiwane, proszę zignorować tę wiadomość.",

  passwordChangedSubject: "Hasło zostało zmienione",
  passwordChangedLead: "Hasło do tego konta w {sender} zostało zmienione.",
  passwordChangedNote: "Jeśli zmiana jest nieznana, proszę od razu wybrać nowe hasło: rozpocząć logowanie i wybrać „Nie pamiętam hasła”.",

  blockedSubject: "Zbyt wiele błędnych haseł do konta",
  blockedLead:
    "Zbyt wiele razy próbowano zalogować się na to konto w {sender} z błędnym hasłem. Logowanie hasłem jest zablokowane na kilka minut.",
  blockedNote:
    "Jeśli próby są znane, proszę odczekać kilka minut i spróbować ponownie. W przeciwnym razie próby się nie powiodły. Hasło, które nie jest używane nigdzie indziej, chroni konto.",

  newDeviceSubject: "Nowe logowanie na konto",
  newDeviceLead: "Na to konto w {sender} zalogowano się z nowego urządzenia.",
  newDeviceNote: "Jeśli to logowanie jest znane, nie trzeba nic robić. W przeciwnym razie proszę od razu wybrać nowe hasło.",

  factorCodeSubject: "Kod weryfikacyjny do {app}",
  factorCodeLead: "Proszę wpisać ten kod, aby dokończyć logowanie do {app}:",
  factorCodeNote:
    "Proszę nikomu nie podawać tego kodu. Jeśli próba logowania jest nieznana, ktoś zna hasło do tego konta: proszę wybrać nowe.",
  factorCodeText: "{code} to kod weryfikacyjny do {app}. Proszę nikomu go nie podawać.",
  factorCodeSpoken: "Kod weryfikacyjny do {app} to {code}. Powtarzamy: {code}. Proszę nikomu go nie podawać.",
  factorTotp: "aplikacja uwierzytelniająca",
  factorPhone: "telefon",
  factorEmail: "adres e-mail",
  factorRecoveryCode: "kod odzyskiwania",
  factorSecurityKey: "klucz bezpieczeństwa",
  factorDevice: "urządzenie",
  factorPasskey: "klucz dostępu",
  factorAddedSubject: "Do konta dodano metodę logowania",
  factorAddedLead: "Weryfikacja dwuetapowa tego konta w {sender} ma teraz kolejną metodę: {factor}.",
  factorRemovedSubject: "Z konta usunięto metodę logowania",
  factorRemovedLead: "Weryfikacja dwuetapowa tego konta w {sender} nie ma już tej metody: {factor}.",
  factorUpdatedSubject: "Zmieniono metodę logowania do konta",
  factorUpdatedLead: "W weryfikacji dwuetapowej konta w {sender} zmieniono tę metodę: {factor}.",
  factorChangedNote:
    "Jeśli ta zmiana jest znana, nie trzeba nic robić. W przeciwnym razie proszę od razu wybrać nowe hasło i skontaktować się z {sender}.",
  factorReplacedSubject: "Zastąpiono metodę logowania konta",
  factorReplacedLead: "Ta metoda weryfikacji dwuetapowej konta w {sender} została zastąpiona: {factor}. Poprzednia już nie działa.",
  factorUndoButton: "To nie ja",
  factorUndoNote: "Przycisk wylogowuje konto ze wszystkich urządzeń i wstrzymuje zmiany metod logowania na 24 godziny. Działa przez 7 dni.",

  factorAdministratorNote: "Tę zmianę wprowadził administrator. Jeśli jest nieoczekiwana, proszę skontaktować się z {sender}.",
  factorLockedSubject: "Zbyt wiele błędnych kodów do konta",
  factorLockedLead:
    "Ktoś podał hasło do tego konta w {sender}, a potem zbyt wiele błędnych kodów. Ta metoda weryfikacji dwuetapowej jest zablokowana na kilka minut.",
  factorLockedNote:
    "Jeśli próby są znane, proszę odczekać kilka minut lub użyć innej metody. W przeciwnym razie proszę od razu wybrać nowe hasło.",

  deletionSubject: "Konto zostanie usunięte",
  deletionReminderSubject: "Konto zostanie wkrótce usunięte",
  deletionLead: "Konto w {sender} zostanie usunięte {time}, zgodnie z prośbą.",
  deletionKeep: "Aby zachować konto, wystarczy zalogować się wcześniej.",
  deletionNote: "Jeśli prośba nie jest znana, proszę zalogować się teraz, zachować konto i wybrać nowe hasło.",

  linkCodeSubject: "Kod do połączenia z {provider}",
  linkCodeLead: "Aby połączyć {provider} z kontem w {sender}, proszę wpisać ten kod:",
  linkCodeNote:
    "Potem można logować się także przez {provider}. Jeśli ta prośba jest nieznana, proszę zignorować tę wiadomość i nikomu nie podawać kodu.",

  accountLinkedSubject: "{provider} połączono z tym kontem",
  accountLinkedLead: "Na to konto w {sender} można się teraz logować także przez {provider}.",
  accountLinkedNote: "Jeśli ta zmiana jest znana, nie trzeba nic robić. W przeciwnym razie proszę od razu skontaktować się z {sender}.",

  accountExistsSubject: "Konto już istnieje",
  accountExistsLead: "Próbowano zarejestrować się w {sender} z tym adresem. Konto z tym adresem już istnieje: proszę się na nie zalogować.",
  accountExistsNote:
    "Zapomniane hasło można zmienić podczas logowania. Jeśli próba jest nieznana, proszę zignorować tę wiadomość. Nic się nie zmieniło.",

  addressCodeSubject: "Kod potwierdzający ten adres w {sender}",
  addressCodeLead: "Ten kod pozwala używać tego adresu na koncie w {sender}:",
  addressCodeNote: "Kodu nie należy nikomu podawać. Jeśli nie był zamawiany, można zignorować tę wiadomość.",
  addressCodeText: "{code} to kod, który pozwala używać tego numeru w {sender}. Nie należy go nikomu podawać.",
  addressInUseSubject: "Ten adres jest już używany",
  addressInUseLead: "Inne konto w {sender} miało otrzymać ten adres. Należy on już do konta, więc nic się nie zmieniło.",
  addressInUseNote:
    "Jeśli ta prośba była zamierzona, wystarczy zalogować się tym adresem. W przeciwnym razie można zignorować tę wiadomość.",
  emailChangedSubject: "Adres e-mail został zmieniony",
  emailChangedLead: "Adres e-mail konta w {sender} został zmieniony.",
  phoneChangedSubject: "Numer telefonu został zmieniony",
  phoneChangedLead: "Numer telefonu konta w {sender} został zmieniony.",
  usernameChangedSubject: "Nazwa użytkownika została zmieniona",
  usernameChangedLead: "Nazwa użytkownika konta w {sender} została zmieniona.",
  accountAddedSubject: "Konto zostało połączone",
  accountAddedLead: "Inne konto pozwala teraz zalogować się na konto w {sender}.",
  accountUnlinkedSubject: "Konto zostało odłączone",
  accountUnlinkedLead: "Połączone konto nie pozwala już zalogować się na konto w {sender}.",
  accountChangedNote:
    "Jeśli zmiana była zamierzona, nic nie trzeba robić. W przeciwnym razie trzeba od razu użyć przycisku i skontaktować się z {sender}.",
  factTime: "Czas",
  factDevice: "Urządzenie",
  factAddress: "Adres IP",
};
