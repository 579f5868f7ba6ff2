export const recordings = {
  title: "Enregistrements : {{course}}",
  heading: "Enregistrements",
  zone: "Heures du fuseau {{zone}}.",
  empty: {
    heading: "Pas encore d’enregistrements",
    teaching:
      "Ils apparaissent ici environ une heure après un cours qui a été enregistré. Les étudiants voient ceux que vous publiez.",
    learning: "Lorsque votre enseignant publie l’enregistrement d’un cours, il apparaît ici.",
    noSpace:
      "La classe virtuelle de ce cours n’a pas encore été ouverte. Les enregistrements apparaissent ici après le premier cours.",
  },
  lead: {
    hidden: "Les étudiants voient un enregistrement une fois que vous l’avez publié.",
    published:
      "Les étudiants voient les nouveaux enregistrements dès qu’ils sont prêts. Vous pouvez masquer chacun d’eux.",
  },
  look: {
    again: "Vérifier à nouveau",
    under: "La classe virtuelle est interrogée. Cela prend quelques secondes.",
    refresh: "Afficher ce qui est arrivé",
    readAt: "Dernière vérification : {{when}}.",
    never: "La liste n’a pas encore été demandée à la classe virtuelle.",
    notOffered:
      "Cette classe virtuelle n’a pas de liste d’enregistrements à demander. Ils apparaissent ici lorsqu’elle les signale.",
    problem:
      "La liste de la classe virtuelle n’a pas pu être lue : {{problem}} Ce qui est affiché n’est peut-être pas à jour.",
    more: "La classe virtuelle a plus d’enregistrements que ceux affichés ici.",
    unplaced_one:
      "La classe virtuelle cite {{count}} enregistrement sans indiquer son Space. Il apparaît ici une fois que la classe virtuelle le signale.",
    unplaced_many:
      "La classe virtuelle cite {{count}} d’enregistrements sans indiquer leur Space. Ils apparaissent ici une fois que la classe virtuelle les signale.",
    unplaced_other:
      "La classe virtuelle cite {{count}} enregistrements sans indiquer leur Space. Ils apparaissent ici une fois que la classe virtuelle les signale.",
  },
  untitled: "Enregistrement : {{when}}",
  sessionUntitled: "Séance : {{when}}",
  noSession: "Hors d’une séance prévue",
  several: "Plusieurs séances sont possibles : {{sessions}}. Indiquez ci-dessous laquelle.",
  severalForLearners: "De l’une de ces séances : {{sessions}}",
  forSections: "Pour {{sections}}",
  minutes_one: "{{count}} minute",
  minutes_many: "{{count}} de minutes",
  minutes_other: "{{count}} minutes",
  made: "Enregistré : {{when}}",
  state: {
    processing: "En cours de traitement",
    ready: "Prêt",
    "transcript-ready": "Prêt, avec transcription et résumé",
    "transcript-only": "Transcription prête ; l’enregistrement est encore en cours de traitement",
    unavailable: "Enregistrement indisponible : la classe virtuelle ne l’a plus",
  },
  awaited: {
    awaited:
      "Le cours est terminé. S’il a été enregistré, l’enregistrement apparaît ici d’ici une heure environ.",
    "given-up": "Aucun enregistrement n’est arrivé. Ce cours n’a sans doute pas été enregistré.",
    ended: "Fin : {{when}}",
  },
  shown: {
    published: "Publié : les étudiants le voient",
    hidden: "Masqué aux étudiants",
    undecided: "Pas encore publié",
  },
  open: {
    recording: "Regarder",
    transcript: "Transcription",
    summary: "Résumé",
    recordingNamed: "Regarder {{title}}, s’ouvre dans un nouvel onglet",
    transcriptNamed: "Transcription de {{title}}, s’ouvre dans un nouvel onglet",
    summaryNamed: "Résumé de {{title}}, s’ouvre dans un nouvel onglet",
    noAddress: "La classe virtuelle n’indique pas son adresse : ouvrez-le dans le Space.",
    noTranscriptAddress:
      "La transcription et le résumé sont dans le Space : la classe virtuelle n’indique pas leur adresse.",
  },
  text: {
    transcriptOf: "Transcription de {{title}}",
    summaryOf: "Résumé de {{title}}",
    byItself: "Écrit par la classe virtuelle elle-même : des mots et des noms peuvent être faux.",
    download: "Télécharger en fichier texte",
    cut: "Le texte est plus long dans la classe virtuelle. Ici, il s’arrête après {{number}} caractères.",
  },
  publish: "Publier",
  publishNamed: "Publier {{title}}",
  hide: "Masquer",
  hideNamed: "Masquer {{title}} aux étudiants",
  describe: {
    open: "Titre et séance",
    openNamed: "Titre et séance de {{title}}",
    title: "Titre",
    titleHint: "Laissez vide pour garder celui de la classe virtuelle.",
    session: "Séance",
    byTime: "Selon l’heure",
    none: "Aucune séance prévue",
    save: "Enregistrer le titre et la séance",
  },
  rule: {
    heading: "Nouveaux enregistrements",
    hidden: "Les étudiants les voient une fois qu’un enseignant les publie",
    published: "Les étudiants les voient dès qu’ils sont prêts",
    hint: "Concerne les enregistrements qui arrivent désormais. Ceux qui sont déjà là restent tels quels. L’enregistrement d’une séance destinée à certaines sections n’est vu que par ces sections.",
    save: "Enregistrer",
  },
  notice: {
    published: "Publié. Les étudiants le voient maintenant.",
    hidden: "Masqué. Les étudiants ne le voient plus.",
    described: "Le titre et la séance sont enregistrés.",
    rule: "Enregistré. Cela vaut pour les enregistrements qui arrivent désormais.",
    conflict:
      "Quelqu’un d’autre a modifié cet enregistrement depuis que vous avez ouvert la page. Voici la situation actuelle ; rien de votre saisie n’a été enregistré.",
    unknown: "Cet enregistrement ou cette séance ne fait plus partie du cours. Rien n’a été enregistré.",
  },
  page: "Page {{page}} sur {{pages}}",
  pages: "Pages des enregistrements",
  newer: "Plus récents",
  older: "Plus anciens",
  leaving: {
    title: "Cet enregistrement est conservé ailleurs",
    text: "La classe virtuelle conserve cet enregistrement à l’adresse {{origin}}, qui ne fait pas partie de ses adresses connues. Ne l’ouvrez que si vous faites confiance à ce site.",
    go: "L’ouvrir sur {{origin}}",
    back: "Retour aux enregistrements",
  },
};
