export const privacy = {
  heading: "Personnes et données",
  lead: "Ce qui est conservé sur quelqu’un peut lui être remis dans un fichier, et effacé.",
  search: "Chercher une personne",
  hint: "Son identifiant entier dans le LMS ou dans la classe virtuelle, ou le début d’un nom ou de l’adresse électronique.",
  noLms: "Aucun LMS n’est encore enregistré, personne n’est donc connu.",
  notFound:
    "Personne n’a été trouvé. Les identifiants se trouvent en entier seulement, et une personne effacée n’est plus connue.",
  more: "Seuls les {{number}} premiers résultats sont affichés. Précisez la recherche pour trouver les autres.",
  person: "Personne",
  nameless: "Sans nom",
  email: "Adresse électronique",
  sub: "Identifiant dans le LMS",
  userId: "Identifiant dans la classe virtuelle",
  noUser: "pas encore",
  held: "Ce qui est conservé",
  kind: "Type",
  count: "Données",
  namedOnly:
    "Ne compte pas ce qui concerne d’autres personnes et ne fait que nommer celle-ci, par exemple une correction de sa part.",
  kinds: {
    person: "La personne elle-même",
    memberships: "Appartenance à des cours",
    attendance: "Présences",
    standings: "Séances qui comptent pour une note",
    scores: "Notes et leur envoi",
    courseAudit: "Modifications dans des cours",
    feedback: "Avis sur des séances",
    matches: "Associations à des utilisateurs de la classe virtuelle",
    places: "Places dans la file d’entrée",
    logins: "Accès préparés à l’avance",
    sessionsOfPages: "Sessions de pages de cours",
    preparations: "Utilisateurs de la classe virtuelle à créer",
    calendars: "Adresses de calendrier",
    unmatched: "Présences non associées",
    presences: "Passages dans des Spaces",
    webhooks: "Contenus de webhooks",
    courses: "Cours",
    other: "Autres",
  },
  export: {
    heading: "Remettre les données",
    person:
      "Un fichier JSON avec tout ce qui est conservé sur cette personne. Les autres n’y figurent que comme « somebody else ».",
    course:
      "Un fichier JSON avec toutes les données de ce cours et ses participants. Le second fichier contient les présences sous forme de tableau.",
    button: "Télécharger le fichier",
    table: "Télécharger les présences en tableau (CSV)",
    logged: "Chaque téléchargement est noté dans le journal d’audit.",
  },
  erase: {
    heading: "Effacer",
    person: "Effacer cette personne",
    personText:
      "Tout ce qui figure ci-dessus est supprimé, présences et notes comprises, et son nom est retiré de tout le reste. C’est irréversible.",
    course: "Effacer ce cours",
    courseText:
      "Toutes les données de ce cours sont supprimées, y compris les présences et les notes de tous. C’est irréversible.",
    registration: "Désinstaller ce LMS",
    registrationText:
      "Le LMS est désactivé et toutes ses données sont supprimées : personnes, cours, présences, notes et clés. C’est irréversible.",
    typeId: "Pour confirmer, saisissez l’identifiant dans le LMS :",
    typeTitle: "Pour confirmer, saisissez le cours :",
    typeName: "Pour confirmer, saisissez le nom du LMS :",
    button: "Effacer définitivement",
    uninstall: "Désinstaller définitivement",
  },
  stays: {
    heading: "Ce qui reste ailleurs",
    person:
      "La classe virtuelle garde ses propres données sur son utilisateur et le LMS garde son carnet de notes : ni l’un ni l’autre n’est touché. Demandez leur suppression là-bas.",
    user: "Dans la classe virtuelle, c’est l’utilisateur {{id}}.",
    comesBack:
      "Ni les listes de participants ni les webhooks tardifs ne ramènent cette personne. Si elle ouvre elle-même l’outil, elle sera quelqu’un de nouveau.",
    course:
      "Le Space et ses enregistrements restent dans la classe virtuelle, les colonnes et les notes restent dans le LMS. La prochaine ouverture depuis le cours commence avec un nouveau Space.",
    registration:
      "Les Spaces et les utilisateurs restent dans la classe virtuelle, les colonnes et les notes restent dans le LMS. L’entrée de l’outil dans le LMS est à retirer par les personnes qui l’administrent.",
  },
  erasures: {
    heading: "Ce qui a été effacé",
    none: "Rien n’a encore été effacé.",
    latest:
      "Les {{number}} derniers effacements sont affichés. Ce qui a été effacé en raison de son âge n’y figure pas.",
    what: "Quoi",
    state: "État",
    asked: "Demandé",
    done: "Terminé",
    kinds: { person: "Une personne", course: "Un cours", registration: "Un LMS" },
    states: {
      erasing: "effacement en cours",
      checking: "effacé, dernière vérification",
      cleaning: "effacé, les dernières traces sont retirées du fichier de la base de données",
      done: "effacé",
    },
    texts: {
      erasing:
        "L’effacement est en cours. Vous pouvez quitter cette page : il continue de lui-même, même après un redémarrage.",
      checking:
        "Tout est effacé. Deux minutes après chaque passage, on vérifie si une opération en cours en a réécrit une partie.",
      cleaning:
        "Tout est effacé, et rien n’a été réécrit. Ce que les enregistrements effacés laissent dans le fichier de la base de données est retiré maintenant ; la nuit, si elle est grande.",
      done: "Tout est effacé, et il n’en reste pas un octet dans la base de données.",
    },
    counts: "Supprimé ou modifié jusqu’ici",
    nothing: "Rien encore.",
    look: "Regarder de nouveau",
    back: "Vers personnes et données",
  },
};
