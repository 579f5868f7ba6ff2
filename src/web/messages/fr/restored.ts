export const restored = {
  text: "Les données de cet outil ont été remises à partir d’une sauvegarde le {{when}}. Ce qui s’est passé entre le {{backup}} et ce moment n’est connu que par ce qu’en disent la classe et le carnet de notes.",
  textUnknown:
    "Les données de cet outil ont été remises à partir d’une sauvegarde le {{when}}. Ce qui s’est passé entre la sauvegarde et ce moment n’est connu que par ce qu’en disent la classe et le carnet de notes.",
  stillToCompare:
    "Encore à comparer avec le carnet de notes : {{number}}. Aucune de ces notes n’est envoyée entre-temps.",
  different: "Notes qui diffèrent du carnet de notes : {{number}}.",
  unread:
    "Le carnet de notes n’a pas pu être lu pour {{number}} ; ces notes sont affichées comme dans la sauvegarde.",
  open: "Voir les différences",
  title: "Différences avec le carnet de notes : {{course}}",
  heading: "Notes qui diffèrent du carnet de notes",
  lead: "Chacune peut être d’un enseignant, ou avoir été envoyée d’ici après la sauvegarde. Rien n’est envoyé par-dessus tant que vous n’avez pas décidé.",
  attendance:
    "Les présences sont relues dans la classe ; une note qui en ressort telle qu’au carnet quitte cette liste d’elle-même.",
  choose: "Choisir {{name}}",
  ours: "La nôtre",
  sendChosen: "Envoyer la nôtre pour celles choisies",
  keepChosen: "Garder celle du carnet pour celles choisies",
  sendAll: "Envoyer la nôtre pour toutes",
  keepAll: "Garder celle du carnet pour toutes",
  keepHint:
    "Une note gardée reste telle quelle, même si les présences changent plus tard, jusqu’à ce que vous envoyiez la nôtre.",
  none: "Aucune note ne diffère.",
  nothingChosen: "Rien n’était choisi. Choisissez d’abord des notes dans la liste.",
  decided: "Décidées : {{number}}. Ce qui reste est ci-dessous.",
  back: "Toutes les notes",
  whyDiffers:
    "Les données ont été remises à partir d’une sauvegarde, et le carnet a {{theirs}} : une note d’enseignant, ou une des nôtres, plus récente. Rien n’est envoyé par-dessus tant qu’un enseignant ne le dit pas.",
  whyEmpty:
    "Les données ont été remises à partir d’une sauvegarde, et le carnet n’a plus de note. Rien n’est envoyé tant qu’un enseignant ne le dit pas.",
  values: "La nôtre : {{ours}} ; au carnet : {{theirs}}, vue le {{when}}.",
  valuesEmpty: "La nôtre : {{ours}} ; au carnet, aucune, vu le {{when}}.",
  keep: "Garder celle du carnet",
  keepLabel: "Garder la note du carnet pour {{name}}",
  consoleHeading: "Après une restauration",
  consoleLead:
    "La base de données a été remise à partir d’une sauvegarde. Chaque note est comparée à son carnet avant tout envoi ; là où elle diffère, un enseignant du cours décide sur sa page des notes.",
  consoleNone: "Aucun cours n’a de notes à comparer ou qui diffèrent.",
  course: "Cours",
  scores: "Notes",
  since: "Restaurée",
  more: "Les {{number}} cours qui en ont le plus sont affichés.",
};
