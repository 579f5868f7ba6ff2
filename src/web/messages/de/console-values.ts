export const consoleValues = {
  heading: "Was das LMS wissen muss",
  lead: {
    moodle:
      "In Moodle: Website-Administration > Plugins > Aktivitäten > Externes Tool > Tools verwalten > Tool manuell konfigurieren. LTI-Version: LTI 1.3; öffentlicher Schlüsseltyp: Schlüsselsatz-URL. Erlauben Sie dem Tool unter „Dienste“, Bewertungen und Mitgliedschaften zu nutzen; geben Sie unter „Datenschutz“ Namen und E-Mail-Adressen weiter.",
    canvas:
      "In Canvas: „Admin“ > „Developer Keys“ > „+ Developer Key“ > „LTI Key“ (Entwicklerschlüssel), JWK-Methode „Public JWK URL“. Schalten Sie die Scopes unten und den Schlüssel selbst ein.",
    other: "Wo Ihr LMS nach einem LTI-1.3-Tool fragt:",
  },
  moodle: {
    launch: "Tool-URL, Weiterleitungs-URI und URL zur Inhaltsauswahl",
    login: "URL zum Starten der Anmeldung",
    keySet: "Öffentlicher Schlüsselsatz",
    custom: "Benutzerdefinierte Parameter",
    scopes: "Dienste (Scopes)",
  },
  canvas: {
    launch: "Target Link URI und Redirect URI",
    login: "OpenID Connect Initiation URL",
    keySet: "Public JWK URL",
    custom: "Benutzerdefinierte Felder",
    scopes: "LTI-Advantage-Dienste (Scopes)",
  },
  other: {
    launch:
      "Ziel-Link und Weiterleitungsadresse (Moodle: Tool-URL, Weiterleitungs-URI und URL zur Inhaltsauswahl)",
    login:
      "Adresse zum Starten der Anmeldung (Moodle: URL zum Starten der Anmeldung; Canvas: OpenID Connect Initiation URL)",
    keySet: "Schlüsselsatz-Adresse (Moodle: Öffentlicher Schlüsselsatz; Canvas: Public JWK URL)",
    custom: "Benutzerdefinierte Parameter, wo das LMS welche annimmt",
    scopes: "Dienste (Scopes)",
  },
  canvasJson:
    "Canvas kann all das selbst übernehmen: Wählen Sie die Methode „Enter URL“ und geben Sie diese Adresse an.",
  canvasJsonLabel: "Canvas-Konfiguration",
};
