export const consoleValues = {
  heading: "Ce que le LMS doit savoir",
  lead: {
    moodle:
      "Dans Moodle : Administration du site > Plugins > Modules d’activité > Outil externe > Gérer les outils > Configurer un outil manuellement. Version LTI : LTI 1.3 ; type de clé publique : URL du jeu de clés. Sous « Services », laissez l’outil utiliser les notes et les participants ; sous « Confidentialité », transmettez les noms et les adresses de courriel.",
    canvas:
      "Dans Canvas : Admin > Clés de développeur (Developer Keys) > + Clé de développeur > Clé LTI (LTI Key), méthode JWK : URL de JWK public. Activez les scopes ci-dessous, puis la clé elle-même.",
    other: "Là où votre LMS demande un outil LTI 1.3 :",
  },
  moodle: {
    launch: "URL de l’outil, URI de redirection et URL de sélection de contenu",
    login: "URL d’initiation de connexion (Initiate login URL)",
    keySet: "Jeu de clés publiques (Public keyset)",
    custom: "Paramètres personnalisés",
    scopes: "Services (scopes)",
  },
  canvas: {
    launch: "URI du lien cible (Target Link URI) et URI de redirection (Redirect URI)",
    login: "URL d’initiation OpenID Connect (OpenID Connect Initiation URL)",
    keySet: "URL de JWK public (Public JWK URL)",
    custom: "Champs personnalisés",
    scopes: "Services LTI Advantage (scopes)",
  },
  other: {
    launch:
      "Lien cible et adresse de redirection (Moodle : URL de l’outil, URI de redirection et URL de sélection de contenu)",
    login:
      "Adresse d’initiation de connexion (Moodle : Initiate login URL ; Canvas : OpenID Connect Initiation URL)",
    keySet: "Adresse du jeu de clés (Moodle : Public keyset ; Canvas : Public JWK URL)",
    custom: "Paramètres personnalisés, si le LMS en accepte",
    scopes: "Services (scopes)",
  },
  canvasJson:
    "Canvas peut reprendre tout cela de lui-même : choisissez la méthode « Saisir l’URL » (Enter URL) et donnez cette adresse.",
  canvasJsonLabel: "Configuration pour Canvas",
};
