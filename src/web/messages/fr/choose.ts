export const choose = {
  title: "Ajouter la classe virtuelle à {{course}}",
  heading: "Que doit ouvrir le nouveau lien ?",
  headingSeveral: "Que doivent ouvrir les nouveaux liens ?",
  leadSeveral: "Chaque élément coché devient un lien.",
  course: "La classe virtuelle de ce cours",
  courseHint: "Ce qu’il faut pour la plupart des cours : tous les liens du cours mènent à la même salle.",
  space: "Une autre classe virtuelle",
  spaceHint: "Une salle qui existe déjà. Le lien y fait entrer toute personne qui l’ouvre.",
  sessions: "Une séance",
  sessionsSeveral: "Séances",
  sessionsHint:
    "Ouvre la classe virtuelle du cours, et peut avoir une colonne pour les points de cette seule séance.",
  noSessions:
    "Aucune séance de ce cours n’est encore connue. Les séances apparaissent ici une fois que des présences y ont été relevées.",
  untimed: "heure inconnue",
  knownSpaces: "Vos autres cours",
  noneKnown: "Aucun d’eux",
  spaceAddress: "Ou son adresse ou son identifiant",
  knownAlone: "Un Space de ce cours ou d’un autre de vos cours",
  formerSpace: "Le Space précédent de ce cours, {{spaceId}}",
  ownOnly: "Votre établissement n’autorise que les Spaces créés pour ses cours.",
  name: "Nom du lien",
  nameHint: "Une séance garde son propre nom, sauf si vous en saisissez un autre ici.",
  nameHintSeveral:
    "Utilisé si vous cochez un seul élément ; plusieurs liens portent le nom de ce qu’ils ouvrent.",
  column: "Avec une colonne dans le carnet de notes",
  columnTaken:
    "Les présences de ce cours ont déjà leur colonne, et une deuxième resterait vide. La colonne propre à une séance, elle, reste possible.",
  points: "Points",
  pointsHint: "Un nombre entier de 1 à 100.",
  add: "Ajouter au cours",
  cancel: "Annuler",
  mend: "Veuillez revoir ceci :",
  names: { link: "Classe virtuelle", session: "Séance" },
  problems: {
    nothing: "Choisissez ce que le lien doit ouvrir.",
    onlyOne: "Votre plateforme n’accepte ici qu’un lien à la fois. Choisissez-en un.",
    session: "Cette séance n’est pas de votre cours. Choisissez-en une autre.",
    noSpace:
      "Choisissez un de vos cours, ou indiquez l’adresse ou l’identifiant de l’autre classe virtuelle.",
    spaceUnreadable:
      "Ce n’est pas l’adresse d’une classe virtuelle. Collez-en une qui commence par {{folder}}, ou l’identifiant qui suit.",
    tooLong: "Le nom est trop long : 255 caractères au plus.",
    points: "Les points doivent être un nombre entier de 1 à 100.",
  },
  back: {
    title: "Retour à votre cours",
    chosen: "Votre choix est transmis à votre cours.",
    nothing: "Retour à votre cours ; rien n’a été ajouté.",
    button: "Retourner au cours",
  },
  handedOver: {
    heading: "Votre choix est en route",
    lead: "La page de votre plateforme le reprend. Vous pouvez fermer cette fenêtre.",
    closed: "Si vous avez fermé cette page, envoyez votre choix d’ici.",
  },
  notChosen: {
    heading: "Rien n’est encore choisi",
    lead: "Choisissez dans la fenêtre qui s’est ouverte. Continuez ensuite ici.",
  },
  refused: {
    heading: "Rien ne peut être ajouté ici",
    learner: "Seuls les enseignants d’un cours peuvent ajouter un lien vers sa classe virtuelle.",
    noLinks:
      "Votre plateforme a demandé autre chose qu’un lien, par exemple un fichier. Cet outil ne propose que des liens vers la classe virtuelle.",
    nobody:
      "Votre plateforme n’a pas indiqué qui vous êtes ou de quel cours il s’agit : aucun lien ne peut donc être créé ici.",
  },
  attendance: "Attendance",
  opens: {
    summary: "Ce qu’ouvre ce lien",
    now: {
      course: "Actuellement : la classe virtuelle de ce cours.",
      space: "Actuellement : une autre classe virtuelle, {{address}}.",
      session: "Actuellement : la séance « {{name}} » dans la classe virtuelle de ce cours.",
    },
    legend: "Désormais, ce lien ouvre",
    shut: {
      "no-right": "Personne ne peut y entrer : elle n’est pas approuvée pour ce cours, ou a été fermée.",
      "not-own": "Personne ne peut y entrer pour l’instant.",
    },
    keep: "Cette séance, comme avant",
    save: "Enregistrer",
    saved: "Enregistré. Désormais, le lien ouvre ce que vous avez choisi.",
  },
  requests: {
    heading: "Spaces demandés",
    open: "En attente de réponse",
    approved: "Approuvé : indiquez son adresse ci-dessus pour l’utiliser",
    refused: "Refusé",
  },
};
