export const copied = {
  heading: "Ce cours a été copié depuis {{source}}",
  question:
    "Utiliser ses paramètres ici ? La classe virtuelle, elle, est nouvelle : aucune personne ni aucune note n’a été reprise.",
  same: "Ses paramètres sont les mêmes qu’ici : il n’y a rien à décider. La classe virtuelle est nouvelle : aucune personne ni aucune note n’a été reprise.",
  changes: "Ce qui changerait :",
  take: "Utiliser ces paramètres",
  decline: "Repartir de zéro",
  understood: "Compris",
  answered: {
    taken: "Ce cours utilise maintenant les paramètres du cours dont il est la copie.",
    declined: "Ce cours garde ses propres paramètres.",
    late: "Cette question a déjà reçu une réponse.",
  },
  settings: {
    mode: {
      tab: "La classe virtuelle s’ouvre dans un nouvel onglet.",
      embedded: "La classe virtuelle s’affiche dans la page du cours.",
    },
    startCall: {
      true: "L’appel commence à l’arrivée du premier enseignant.",
      false: "L’appel ne commence pas de lui-même.",
    },
    startCallForEveryone: {
      true: "L’appel commence dès la première arrivée.",
      false: "Seuls les enseignants lancent l’appel.",
    },
    skipDeviceSetup: {
      true: "On entre sans vérifier la caméra et le micro, tous deux éteints.",
      false: "On vérifie la caméra et le micro avant d’entrer.",
    },
    galleryView: {
      true: "La classe virtuelle s’ouvre en mode galerie.",
      false: "La classe virtuelle ne s’ouvre pas en mode galerie.",
    },
    standalone: {
      true: "Aucun chemin ne mène de la classe virtuelle à d’autres salles.",
      false: "Les chemins de la classe virtuelle vers d’autres salles sont affichés.",
    },
    startLocalRecording: {
      true: "L’enregistrement commence avec l’appel, si le navigateur le permet.",
      false: "L’enregistrement ne commence pas de lui-même.",
    },
  },
  language: {
    lms: "La langue de la classe virtuelle suit celle de la plateforme.",
    classroom: "La classe virtuelle choisit sa langue.",
    other: "La langue de la classe virtuelle est : {{language}}.",
  },
  door: {
    always: "Les étudiants peuvent entrer à tout moment.",
    aroundSessions:
      "Les étudiants peuvent entrer de {{before}} minutes avant une séance à {{after}} minutes après.",
  },
  noGrades: "L’assiduité n’est pas notée.",
  columns: {
    course: "Il y a une seule note pour toutes les séances.",
    session: "Chaque séance a sa propre note, et il n’y en a pas pour l’ensemble.",
  },
  denominator: {
    "so-far": "La note est la moyenne des séances tenues jusqu’à présent.",
    planned: "La note est divisée par toutes les séances prévues, y compris celles à venir.",
    fixed_one: "La note est divisée par {{count}} séance.",
    fixed_many: "La note est divisée par {{count}} de séances, quel que soit le nombre de séances tenues.",
    fixed_other: "La note est divisée par {{count}} séances, quel que soit le nombre de séances tenues.",
  },
  dropLowest_one: "La moins bonne séance de chaque étudiant n’est pas prise en compte dans la note.",
  dropLowest_many:
    "Les {{count}} moins bonnes séances de chaque étudiant ne sont pas prises en compte dans la note.",
  dropLowest_other:
    "Les {{count}} moins bonnes séances de chaque étudiant ne sont pas prises en compte dans la note.",
  dropsNone: "Toutes les séances comptent, même les moins bonnes d’un étudiant.",
  minimum_one: "Il y a une note dès la première séance qui compte.",
  minimum_many: "Il n’y a de note qu’à partir de {{count}} de séances qui comptent.",
  minimum_other: "Il n’y a de note qu’à partir de {{count}} séances qui comptent.",
  points: "La note d’assiduité est sur {{points}} points.",
  credit: {
    PRESENT: "Une présence compte {{percent}} %.",
    LATE: "Un retard compte {{percent}} %.",
    ABSENT: "Une absence compte {{percent}} %.",
    EXCUSED: "Une absence excusée compte {{percent}} %.",
  },
  leftOut: {
    PRESENT: "Les présences ne sont pas prises en compte dans la note.",
    LATE: "Les retards ne sont pas pris en compte dans la note.",
    ABSENT: "Les absences ne sont pas prises en compte dans la note.",
    EXCUSED: "Les absences excusées ne sont pas prises en compte dans la note.",
  },
  comment: {
    true: "Le calcul de la note figure à côté d’elle dans le carnet de notes.",
    false: "Rien ne figure à côté de la note dans le carnet de notes.",
  },
};
