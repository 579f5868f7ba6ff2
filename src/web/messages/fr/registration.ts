export const registration = {
  title: "Enregistrer l’outil de classe virtuelle",
  done: "L’outil est enregistré",
  doneText: "{{platform}} et cet outil se connaissent maintenant.",
  next: {
    moodle:
      "Dans Moodle, l’outil est en attente. Fermez cette fenêtre, choisissez-y « Activer », puis affichez-le dans le sélecteur d’activités.",
    canvas:
      "Fermez cette fenêtre et terminez dans Canvas : vérifiez ce que l’outil peut faire, activez-le, puis activez sa clé.",
    other:
      "Si votre LMS indique que l’outil est en attente, activez-le là. Vous pouvez fermer cette fenêtre.",
  },
  known: "Ce LMS était déjà enregistré",
  knownText:
    "{{platform}} a mis à jour ses propres réglages de l’outil. Rien n’a été modifié de ce côté : les cours, les notes et les adresses sont comme avant.",
  knownOff:
    "L’enregistrement est désactivé de ce côté. Demandez aux responsables de l’outil de classe virtuelle de l’activer ; d’ici là, les ouvertures sont refusées.",
  hidden: "Moodle masque l’outil tant que vous ne l’affichez pas",
  hiddenText:
    "Chaque enregistrement et chaque mise à jour retirent l’outil du sélecteur d’activités : les enseignants ne le trouvent pas.",
  withheld: "Pas encore autorisé",
  withheldText:
    "Le LMS ne laisse pas l’outil faire tout ce pour quoi il est prévu. Autorisez ceci dans le LMS :",
  close: "Fermer cette fenêtre",
  invitation: {
    lead: "Donnez cette adresse à votre LMS : les deux apprennent ainsi tout ce qu’ils doivent savoir l’un de l’autre. Elle ne sert qu’une fois, jusqu’au",
    staging:
      "Un LMS enregistré avec cette adresse utilise l’environnement de test (staging) de la classe virtuelle, pour faire des essais.",
    address: "Adresse d’enregistrement",
    moodle: {
      heading: "Dans Moodle",
      open: "Ouvrez Administration du site > Plugins > Modules d’activité > Outil externe > Gérer les outils.",
      paste:
        "Collez l’adresse d’enregistrement dans « URL de l’outil » et choisissez « Ajouter LTI Advantage ».",
      activate: "Une fois la fenêtre fermée, choisissez « Activer » sur la carte de l’outil.",
      show: "Ouvrez les réglages de l’outil (le crayon) et réglez « Utilisation de la configuration de l’outil » sur « Afficher dans le sélecteur d’activités et comme outil préconfiguré ».",
      network:
        "Moodle demande ses clés à cet outil. S’il ne peut pas atteindre l’adresse de l’outil (réseau privé, ou port autre que 80 et 443), autorisez-le sous Administration du site > Général > Sécurité > Sécurité HTTP.",
    },
    canvas: {
      heading: "Dans Canvas",
      open: "En tant qu’administrateur du compte, ouvrez Admin > Clés de développeur (Developer Keys) > + Clé de développeur > Enregistrement LTI (LTI Registration). Canvas récent : Admin > Apps > Gérer (Manage) > Installer une nouvelle application (Install a New App) > LTI 1.3, enregistrement dynamique (Dynamic Registration).",
      paste: "Collez l’adresse d’enregistrement et continuez.",
      review:
        "Vérifiez ce que demande l’outil, laissez tous les services activés, puis choisissez « Activer et fermer » (Enable & Close).",
      install:
        "Si l’outil n’apparaît pas de lui-même dans les cours : Paramètres > Applications (Apps) > + Application, type de configuration « Par ID client » (By Client ID), avec le numéro de la clé. Les mêmes étapes dans un cours ou un sous-compte ne l’installent que là.",
      json: "Si l’enregistrement dynamique n’est pas proposé : + Clé de développeur > Clé LTI (LTI Key), méthode « Saisir l’URL » (Enter URL), avec cette adresse. Donnez ensuite le numéro de la clé aux responsables de l’outil de classe virtuelle.",
      jsonAddress: "Configuration pour Canvas",
    },
    other: {
      heading: "Dans un autre LMS",
      open: "Cherchez les outils LTI 1.3 (LTI Advantage), puis l’enregistrement dynamique ou une URL d’enregistrement.",
      paste: "Collez l’adresse d’enregistrement, terminez dans la fenêtre qui s’ouvre, puis activez l’outil.",
      scopes: "Autorisez l’outil à lire les participants du cours et à écrire ses notes.",
    },
    byHand: {
      heading: "Manuellement",
      text: "Si un LMS n’enregistre pas les outils de lui-même, saisissez-y ces valeurs. Donnez ensuite aux responsables de l’outil de classe virtuelle ce qu’affiche le LMS : émetteur (identifiant de la plateforme), ID client, identifiant de déploiement, et les adresses pour l’authentification, les jetons d’accès et les clés publiques.",
      launch: "URL de l’outil, lien cible et adresse de redirection",
      login: "Adresse d’initiation de connexion",
      keys: "Adresse du jeu de clés publiques",
      logo: "Icône",
      moodleParameters: "Paramètres personnalisés, Moodle",
      otherParameters: "Paramètres personnalisés, autres LMS",
      scopes: "Services (scopes)",
    },
    copy: "Copier",
    copyWhat: "Copier : {{what}}",
    copied: "Copié : {{what}}",
    copiedShort: "Copié",
    selected: "Sélectionné. Copiez avec Ctrl+C, ou ⌘C sur un Mac.",
  },
  sameLms: {
    open: "La même plateforme qu’auparavant",
    heading: "Est-ce la même plateforme que lors d’un enregistrement antérieur ?",
    lead: "Quand un outil a été supprimé dans une plateforme et enregistré de nouveau, il a un autre identifiant client et les cours recommencent avec de nouveaux Spaces. Dites quel enregistrement antérieur celui-ci continue ; ses cours gardent leurs Spaces, leurs personnes et leurs notes.",
    none: "Aucune autre plateforme n’est enregistrée.",
    which: "Enregistrement antérieur",
    look: "Voir ce que cela signifie",
    plan: "Ce qui se passerait",
    reached:
      "{{name}} est atteinte par l’identifiant client {{fresh}} au lieu de {{earlier}}, qui est dès lors refusé.",
    lastUsed: "Dernière utilisation de l’antérieur",
    kept: "Cours qui gardent leurs Spaces, leurs personnes et leurs notes, et dont les colonnes sont recherchées à la prochaine ouverture",
    moved: "Cours ouverts depuis, qui passent avec tout leur contenu",
    replaced: "Cours ouverts sous les deux, sans rien dans le nouveau : l’antérieur compte",
    conflicts:
      "Cours utilisés sous les deux : l’antérieur compte, et le contenu du nouveau devient hors d’atteinte",
    once: "Cela prend quelques secondes, pendant lesquelles cet enregistrement est arrêté, et ne peut pas être annulé.",
    confirm: "C’est la même plateforme",
  },
  audiences: {
    heading: "Jetons destinés aussi à d’autres",
    text: "Un lancement dont le jeton nomme un autre destinataire (audience) en plus de cet outil est refusé. Nommez ceux à qui vous faites confiance, un par ligne ; d’ordinaire il n’y en a aucun.",
    label: "Autres destinataires de confiance, un par ligne",
    save: "Enregistrer",
    tooMuch: "Au plus {{audiences}} lignes de {{characters}} caractères chacune. Rien n’a été enregistré.",
  },
  family: {
    says: "Le LMS se nomme « {{product}} ».",
    unknown: "Sera appris au premier lancement",
    contradiction:
      "Ce LMS est traité comme {{family}}, mais ses lancements disent « {{product}} ». Choisissez ce qu’il est : notes et cours suivent les règles de chaque produit.",
    save: "Enregistrer le type de LMS",
    learn: "Ce que le LMS dit de lui-même",
  },
};
