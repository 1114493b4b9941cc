import type { Messages } from "../messages.ts";

/** The Polish texts for pages that differ with the familiar form of address, "ty". */
export const plFamiliar: Partial<Messages> = {
  againTitle: "Potwierdź swoją tożsamość",
  identifierLeadPlain: "na swoje konto w {tenant}",

  passwordTitle: "Podaj hasło",

  identifierNoAccount: "Nie masz jeszcze konta?",
  addressInvalid: "Na ten adres nie możemy wysłać kodu. Sprawdź pisownię.",

  signUpTitle: "Utwórz konto",
  signUpHave: "Masz już konto?",
  emailMalformed: "Ten adres e-mail jest nieprawidłowy. Sprawdź pisownię.",
  usernameMalformed: "Ta nazwa użytkownika jest niedozwolona. Wybierz inną.",
  usernameTaken: "Ta nazwa użytkownika jest zajęta. Wybierz inną.",
  phoneMalformed: "Podaj numer telefonu z + i kodem kraju.",
  phoneMisspelled: "Wpisz numer w ten sposób: {number}",
  phoneUsed: "Ten numer posłużył do logowania. Dodaj inny.",
  accountTaken: "Z tymi danymi nie możemy utworzyć konta. Jeśli masz już konto, zaloguj się.",

  codeTitleEmail: "Sprawdź pocztę",
  codeTitleSms: "Sprawdź wiadomości",
  codeLeadEmail: "Wpisz kod, który wysłaliśmy na adres {address}.",
  codeLeadSms: "Wpisz kod, który wysłaliśmy SMS-em na numer {address}.",
  codeLeadReset: "Jeśli istnieje konto dla {address}, wysłaliśmy kod. Wpisz go tutaj.",
  codeLeadAccount: "Jeśli to konto istnieje, wysłaliśmy kod na jego adres e-mail. Wpisz go tutaj.",
  codeMissing: "Wpisz kod, który Ci wysłaliśmy.",
  codeWrong: "Kod jest błędny lub już nie działa. Sprawdź go lub wyślij nowy.",
  codesTooMany: "Wysłaliśmy zbyt wiele kodów. Użyj ostatniego lub spróbuj ponownie za 10 minut.",
  newNumbersTooMany:
    "Na razie nie możemy wysyłać kolejnych kodów na nowe numery telefonu. Użyj ostatniego kodu lub spróbuj ponownie za godzinę.",
  codeUsePassword: "Użyj swojego hasła",

  factorTitleTotp: "Wpisz kod z aplikacji",
  factorTitlePhone: "Sprawdź wiadomości",
  factorTitleEmail: "Sprawdź pocztę",
  factorTitleRecovery: "Wpisz kod odzyskiwania",
  factorTitleKey: "Użyj klucza bezpieczeństwa",
  factorTitlePasskey: "Użyj klucza dostępu",
  factorLeadTotp: "Otwórz aplikację uwierzytelniającą i wpisz 6-cyfrowy kod do {tenant}.",
  factorLeadCalled: "Wpisz kod podany w naszej rozmowie z numerem {address}.",
  factorLeadEmail: "Wpisz kod, który wysłaliśmy na adres {address}.",
  factorLeadPhone: "Wpisz kod, który wysłaliśmy SMS-em na numer {address}.",
  factorLeadRecovery: "Wpisz kod odzyskiwania zapisany podczas konfiguracji weryfikacji dwuetapowej. Działa tylko raz.",
  factorLeadKey: "Potwierdź tożsamość kluczem bezpieczeństwa.",
  factorLeadPasskey: "Potwierdź tożsamość odciskiem palca, twarzą lub blokadą ekranu.",
  factorCodeMissing: "Wpisz kod.",
  factorCodeWrong: "Kod jest błędny lub już nie działa. Sprawdź go lub użyj nowszego.",
  factorTooManyAttempts: "Zbyt wiele błędnych kodów. Odczekaj kilka minut lub wypróbuj inny sposób.",
  factorAddedElsewhere: "Do konta dodano przed chwilą inną metodę. Aby kontynuować, użyj jej.",
  factorLocked:
    "Zbyt wiele nieudanych prób. Ten sposób będzie znów dostępny o {time}. Do tego czasu użyj innego sposobu, jeśli to możliwe.",

  addFactorTitle: "Skonfiguruj weryfikację dwuetapową",
  addFactorLead: "{tenant} wymaga drugiego kroku przy logowaniu. Wybierz, jak chcesz potwierdzać tożsamość.",
  addFactorPhoneHint: "Kody wysyłane na Twój telefon",
  webauthnAddLead: "Przeglądarka poprosi o klucz bezpieczeństwa. Postępuj zgodnie z jej wskazówkami.",
  webauthnWaiting:
    "Przeglądarka czeka na klucz dostępu lub klucz bezpieczeństwa. Postępuj zgodnie z jej wskazówkami lub, jeśli to możliwe, wybierz inny sposób.",
  webauthnNeedsScript:
    "Klucz dostępu lub klucz bezpieczeństwa wymaga JavaScriptu i zgodnej przeglądarki. Jeśli to możliwe, wybierz inny sposób.",
  webauthnFailed: "Nie udało się. Spróbuj ponownie lub wybierz inny sposób.",
  webauthnUnavailable: "Tego klucza nie można użyć pod tym adresem internetowym. Jeśli to możliwe, wybierz inny sposób.",

  passkeyFailed: "Nie udało się zalogować tym kluczem dostępu. Spróbuj ponownie lub wybierz inny sposób.",
  newPasskeyLead: "Loguj się odciskiem palca, twarzą lub blokadą ekranu. Nie potrzebujesz hasła.",
  addPasskeyLead:
    "Utwórz klucz dostępu i następnym razem zaloguj się odciskiem palca, twarzą lub blokadą ekranu. Twoje hasło nadal działa.",
  addPasskeyDeviceLead:
    "Do logowania użyto klucza dostępu z innego urządzenia. Z kluczem na tym urządzeniu następnym razem nie będziesz potrzebować tamtego.",

  addTotpTitle: "Skonfiguruj aplikację uwierzytelniającą",
  addTotpLead: "Dodaj konto do aplikacji uwierzytelniającej, a potem wpisz kod, który pokaże aplikacja.",
  addTotpScan: "Zeskanuj ten kod QR w aplikacji:",
  addTotpManual: "Albo wpisz w aplikacji ten klucz:",
  addPhoneTitle: "Dodaj telefon",

  addFactorFrozen:
    "Otrzymaliśmy od Ciebie zgłoszenie, że zmiana metod logowania nie jest Twoja. Dlatego przez 24 godziny nie można dodać żadnej metody, a bez drugiego kroku nie można się zalogować. Spróbuj później lub skontaktuj się z pomocą techniczną.",
  securityMethods: "Twoje metody logowania",
  securityNone: "Nie masz jeszcze drugiego kroku. Dzięki niemu skradzione hasło nie wystarczy do zalogowania.",
  securityAddLead: "Wybierz, jak chcesz potwierdzać tożsamość przy logowaniu.",
  securityRecoverySet: "Masz kod odzyskiwania. Jeśli go stracisz, utwórz nowy.",
  securityNameMissing: "Wpisz nazwę.",
  securityRemoveLast: "To Twój jedyny drugi krok. Bez niego nie poprosimy już o drugi krok przy logowaniu.",
  securityRequiredLead: "{tenant} wymaga drugiego kroku. Zanim usuniesz tę metodę, dodaj inną.",
  securityFrozenLead:
    "Otrzymaliśmy od Ciebie zgłoszenie, że zmiana nie jest Twoja. Dlatego przez 24 godziny nie można zmieniać metod logowania. Nadal możesz się nimi logować.",
  securityAgainLead:
    "Zmiana metod logowania wymaga zalogowania w ciągu ostatnich 15 minut. Wyloguj się tutaj, a potem zaloguj się ponownie w aplikacji.",
  securityUnavailableLead:
    "Żadna z Twoich metod logowania nie działa tu w tej chwili, więc nie można ich zmienić. Skontaktuj się z pomocą techniczną.",
  securityNoSessionLead: "Zaloguj się do aplikacji w tej przeglądarce i ponownie otwórz tę stronę.",
  securityConflict: "Zmiana nie została zapisana. Metod jest zbyt wiele albo zmieniono je w innym oknie. Spróbuj ponownie.",
  undoLead: "Kontynuuj, jeśli nie znasz zgłoszonej zmiany na swoim koncie {tenant}.",
  undoNote: "Metody logowania pozostaną bez zmian. Jeśli któraś jest obca, skontaktuj się z pomocą techniczną.",
  undoDoneTitle: "Twoje konto jest chronione",
  undoDoneLead:
    "Wylogowaliśmy Cię ze wszystkich urządzeń, a metod logowania nie można zmieniać przez 24 godziny. Wybierz teraz nowe hasło. Jeśli któraś metoda nie jest Twoja, skontaktuj się z pomocą techniczną.",
  undoRemainsTitle: "Sprawdź metody logowania",
  undoRemainsLead:
    "Nastąpiło wylogowanie ze wszystkich urządzeń, a metod logowania nie można zmieniać przez 24 godziny. Niedawno dodana lub zastąpiona metoda nadal jednak działa. Jeśli jest obca, skontaktuj się z pomocą techniczną. Wybierz teraz nowe hasło.",
  undoUsedLead: "Wszystkie sesje zostały już dzięki niemu zakończone. Jeśli coś nadal się nie zgadza, skontaktuj się z pomocą techniczną.",
  undoExpiredLead: "Jeśli zmiana konta nie jest Twoja, wybierz nowe hasło i skontaktuj się z pomocą techniczną.",

  recoveryTitle: "Zapisz kod odzyskiwania",
  recoveryLead:
    "W razie utraty innych metod ten kod pozwala zalogować się jeden raz. Zapisz go i przechowuj w bezpiecznym miejscu. Nie pokażemy go ponownie.",
  recoverySpentTitle: "Zapisz nowy kod odzyskiwania",
  recoverySpentLead:
    "Wpisany kod został wykorzystany i już nie działa. Zastępuje go ten nowy. Zapisz go i przechowuj w bezpiecznym miejscu. Nie pokażemy go ponownie.",
  recoveryReplace: "Jeśli metoda logowania została utracona, zastąp ją w ustawieniach bezpieczeństwa: dodaj nową i usuń utraconą.",
  recoveryLabel: "Twój kod odzyskiwania",
  recoveryDone: "Mam go zapisany",

  resetTitle: "Zresetuj hasło",
  resetLead: "Wyślemy Ci kod i link do ustawienia nowego hasła.",
  newPasswordTitle: "Wybierz nowe hasło",
  newPasswordNote: "Wylogujemy Cię na wszystkich innych urządzeniach.",

  identifierMissing: "Podaj adres e-mail, nazwę użytkownika lub numer telefonu.",
  missingEmail: "Podaj adres e-mail.",
  missingUsername: "Podaj nazwę użytkownika.",
  missingPhone: "Podaj numer telefonu.",
  missingEmailUsername: "Podaj adres e-mail lub nazwę użytkownika.",
  missingEmailPhone: "Podaj adres e-mail lub numer telefonu.",
  missingUsernamePhone: "Podaj nazwę użytkownika lub numer telefonu.",
  passwordMissing: "Podaj hasło.",
  wrongCredentials: "Nieprawidłowy adres e-mail lub hasło. Spróbuj ponownie.",
  tooManyAttempts: "Zbyt wiele prób. Spróbuj ponownie za 5 minut.",
  wrongCredentialsOrReset: "Nieprawidłowy adres e-mail lub hasło. Spróbuj ponownie lub zresetuj hasło.",
  tooManyAttemptsOrReset: "Zbyt wiele prób. Spróbuj ponownie za 5 minut lub zresetuj hasło.",
  blocked: "To konto jest zablokowane. Aby uzyskać pomoc, skontaktuj się z {tenant}.",

  consentTitle: "Zezwolić aplikacji {client} na korzystanie z Twojego konta?",
  consentAccount: "Korzystasz z konta {account}",
  consentActs: "{client} może działać w Twoim imieniu w {audience}, także na prośbę innych aplikacji.",
  consentNothing: "{client} chce tylko potwierdzić Twoją tożsamość.",
  consentNotYou: "To nie Ty?",
  consentNotYouName: "To nie Ty? Użyj innego konta",
  consentTrust: "Następnie wrócisz do {destination}. Zezwól tylko wtedy, gdy ufasz aplikacji {client}.",
  consentAppTitle: "Zezwolić tej aplikacji na korzystanie z Twojego konta?",
  consentAppNothing: "Aplikacja chce tylko potwierdzić Twoją tożsamość.",
  consentUnchecked: "Nikt nie sprawdził nazwy aplikacji. Zezwól tylko wtedy, gdy to logowanie zostało rozpoczęte przez Ciebie.",
  deviceLead: "Wpisz kod wyświetlany na urządzeniu.",
  deviceCodeMissing: "Wpisz kod.",
  deviceCodeWrong: "Kod jest nieprawidłowy lub wygasł. Sprawdź go na urządzeniu lub uzyskaj tam nowy.",
  deviceNote: "Czy ten kod przysłała Ci inna osoba? Nie wpisuj go.",
  deviceConfirmTitle: "Zalogować się do {client} na Twoim urządzeniu?",
  deviceConfirmLead: "Sprawdź, czy urządzenie wyświetla ten kod:",
  deviceOtherNetwork: "Urządzenie korzysta z innej sieci niż ta przeglądarka. Kontynuuj tylko wtedy, gdy wiesz dlaczego.",
  deviceConfirmNote:
    "Kontynuuj tylko wtedy, gdy logowanie zostało rozpoczęte przez Ciebie, na urządzeniu w Twoim pobliżu. Każda osoba z tym urządzeniem będzie mogła korzystać z Twojego konta.",
  deviceApprovedLead: "Kontynuuj na urządzeniu. Możesz zamknąć tę stronę.",
  deviceDeniedLead:
    "Możesz zamknąć tę stronę. Jeśli logowanie nie zostało rozpoczęte przez Ciebie, być może inna osoba chciała uzyskać dostęp do Twojego konta.",
  deviceLostLead: "Zacznij od nowa na urządzeniu, aby otrzymać nowy kod.",
  scopeOpenid: "Potwierdzenie Twojej tożsamości",
  scopeProfile: "Wgląd w Twoje imię i nazwisko, zdjęcie i inne dane profilu",
  scopeEmail: "Wgląd w Twój adres e-mail",
  scopePhone: "Wgląd w Twój numer telefonu",
  scopeAddress: "Wgląd w Twój adres pocztowy",
  scopeOfflineAccess: "Zachowanie tego dostępu podczas Twojej nieobecności",

  accountTitle: "Wybierz konto",

  organizationTitle: "Wybierz organizację",
  organizationNone: "Żadna organizacja nie ma takiej nazwy. Sprawdź pisownię.",

  invitationLead: "{inviter} zaprasza Cię do {organization}.",
  invitationOther: "To zaproszenie jest dla {email}. Aby je przyjąć, zaloguj się na to konto.",

  createAccountTitle: "Utwórz konto",
  createAccountOtherName: "Zmień: zaloguj się na konto, które już masz",
  createAccountPassword: "Wybierz hasło",
  demandsAll: "Twoje hasło spełnia wszystkie wymagania.",
  passwordTooCommon: "To hasło jest zbyt popularne. Wybierz inne.",
  passwordPersonal: "To hasło zawiera Twoje imię, nazwisko lub adres. Wybierz inne.",
  passwordLeaked: "To hasło wyciekło z innego serwisu. Wybierz takie, którego nie używasz nigdzie indziej.",

  linkConfirmTitle: "Potwierdź swój adres e-mail",
  linkConfirmLead: "Twoje konto w {tenant} używa tego adresu. Potwierdź, że należy do Ciebie.",
  linkAskTitle: "Czy to Twoje konto?",
  linkAskLead: "Konto w {tenant} używa Twojego adresu.",
  linkAskNote: "Jeśli nie, wybierz „Nie”. Hasło do konta przestanie działać, a osoba, która je utworzyła, zostanie wylogowana.",
  linkVerifiedTitle: "Twój adres jest potwierdzony",
  linkVerifiedLead: "Możesz kontynuować w aplikacji.",
  linkDisownedLead: "Hasło do tego konta już nie działa. Jeśli chcesz korzystać z konta, ustaw nowe.",
  passwordFormer: "To hasło było już przez Ciebie używane. Wybierz inne.",
  linkChangedTitle: "Twoje hasło zostało zmienione",
  linkChangedLead: "Wylogowaliśmy Cię ze wszystkich urządzeń. Zaloguj się nowym hasłem.",
  linkUsedLead: "Ustawiono za jego pomocą hasło. Jeśli to Ty, otwórz aplikację i zaloguj się. W przeciwnym razie poproś o nowy link.",
  linkSentTitle: "Sprawdź pocztę",
  linkSentLead:
    "Jeśli masz konto, wysłaliśmy Ci link do ustawienia nowego hasła. Link jest ważny przez godzinę. Jeśli nic nie przyjdzie, sprawdź folder ze spamem lub spróbuj ponownie.",
  linkExpiredLead: "Linki w wiadomościach są ważne przez ograniczony czas. Możemy wysłać Ci nowy.",
  linkUnknownLead: "Może być niepełny lub zbyt stary. Otwórz link w wiadomości jeszcze raz lub skopiuj go w całości.",
  noUsableFactorLead:
    "Żadnej z metod weryfikacji dwuetapowej nie można teraz użyć. Spróbuj później lub skontaktuj się z pomocą techniczną.",
  linkEndedLead: "Link został użyty lub wygasł albo konto od tego czasu się zmieniło. Poproś o nowy link.",
  linkRequestLead: "Podaj dane konta. Na jego adres e-mail wyślemy link do ustawienia nowego hasła.",

  linkCodeTitle: "Chcesz zalogować się do {client}?",
  linkCodeLead: "Ten link zaloguje Cię tutaj, w tej przeglądarce.",
  linkCodeElsewhere: "Logowanie zaczęto w innej przeglądarce. Aby zalogować się tam, wpisz tam kod z wiadomości.",
  linkCodeNote: "Jeśli nie prosisz o ten link lub adres nie należy do Ciebie, zamknij tę stronę.",
  linkCodeUsed: "Link został już użyty lub wygasł. Wróć do aplikacji i poproś o nowy.",
  linkFactorRequired:
    "Twoje konto używa weryfikacji dwuetapowej, więc ten link nie pozwala zalogować się tutaj. Otwórz go w przeglądarce, w której zaczęto logowanie, lub wpisz tam kod z wiadomości.",

  logoutTitle: "Chcesz się wylogować?",
  logoutLead: "Wylogujesz się z {tenant} w tej przeglądarce.",
  logoutStay: "Jeśli nie chcesz się wylogować, po prostu zamknij tę stronę.",

  loggedOutLead: "Możesz już zamknąć tę stronę.",

  errorLead:
    "Wystąpił problem z tym żądaniem. Wróć do aplikacji i zacznij od nowa. Jeśli to nie pomoże, prześlij te dane do pomocy technicznej aplikacji.",
  expiredLead: "Była otwarta zbyt długo albo logowanie rozpoczęło się w innej przeglądarce. Wróć do aplikacji i zacznij od nowa.",
  noLoginTitle: "Zacznij w aplikacji",
  noLoginLead:
    "Nie można zalogować się bezpośrednio z tego adresu. Być może pochodzi on z zakładki. Otwórz aplikację, z której chcesz skorzystać, i zaloguj się w niej.",
  notFoundLead: "Adres może zawierać błąd albo strona już nie istnieje. Wróć do aplikacji i zacznij od nowa.",
  cookiesTitle: "Twoja przeglądarka zablokowała plik cookie",
  cookiesLead:
    "Ta strona potrzebuje pliku cookie, aby rozpoznać Twoją przeglądarkę. Zezwól na pliki cookie w tej witrynie, wróć do aplikacji i zacznij od nowa. Możesz też użyć okna prywatnego lub innej przeglądarki.",
  invitationExpiredLead: "Poproś osobę, która Cię zaprosiła, o nowe zaproszenie.",
  invitationUsedLead:
    "Jeśli to Ty, otwórz aplikację i zaloguj się. W przeciwnym razie poproś osobę, która Cię zaprosiła, o nowe zaproszenie.",
  invitationWithdrawnLead: "Zapytaj osobę, która Cię zaprosiła, czy nadal możesz dołączyć.",
  noConnectionLead:
    "Logowanie do aplikacji, które rejestrują się samodzielnie, nie jest tu skonfigurowane. Jeśli potrzebujesz tej aplikacji, skontaktuj się z pomocą techniczną.",
  answeredLead: "Tutaj nie ma już nic do zrobienia. Kontynuuj w aplikacji.",

  formPostLead: "Jeśli przez kilka sekund nic się nie wydarzy, użyj przycisku.",
  providerDeclined: "Logowanie nie zostało dokończone. Spróbuj ponownie lub wybierz inną opcję.",
  providerFailed: "Logowanie w ten sposób nie powiodło się. Spróbuj ponownie lub wybierz inną opcję.",
  noAccountHere: "Nie masz jeszcze konta i nie możesz go utworzyć w ten sposób. Zaloguj się inaczej.",
  linkAccountLead: "Masz już konto z adresem {email}. Zaloguj się raz, aby połączyć je z {provider}.",
  linkAccountFailed: "Tego konta {provider} nie można połączyć z Twoim istniejącym kontem. Możesz używać go jako osobnego konta.",
};
