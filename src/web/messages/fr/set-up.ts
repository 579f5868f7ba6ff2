export const setUp = {
  title: "Mise en place : {{course}}",
  heading: "Trois questions pour commencer",
  lead: "Tout fonctionne déjà ; les choix ci-dessous correspondent à la situation actuelle. Vous pouvez les changer à tout moment dans les paramètres.",
  grading: {
    legend: "1. L’assiduité compte-t-elle dans la note ?",
    "one-column": "Oui, une seule note pour toutes les séances",
    "column-per-session": "Oui, une note par séance",
    "no-grades": "Non, les présences sont seulement relevées",
    example:
      "Présence, présence, retard donnent {{sum}} points sur {{points}}. Les absences excusées ne comptent pas.",
  },
  mode: {
    legend: "2. Comment entre-t-on ?",
    tab: "Dans un nouvel onglet",
    embedded: "Dans la page du cours",
    hints: {
      tab: "Le plus fiable : caméra et micro fonctionnent.",
      embedded: "Si la page n’obtient pas la caméra ou le micro, un nouvel onglet est proposé.",
    },
  },
  start: {
    legend: "Les étudiants peuvent-ils lancer l’appel ?",
    no: "Non, il commence à l’arrivée du premier enseignant",
    yes: "Oui, il commence dès la première arrivée",
  },
  opens: {
    legend: "3. Quand les étudiants peuvent-ils entrer ?",
    always: "À tout moment",
    "around-sessions":
      "Seulement autour des séances prévues : de {{before}} minutes avant à {{after}} minutes après. Tant qu’aucune séance n’est prévue, à tout moment.",
  },
  locked: "fixé par votre établissement",
  save: "Enregistrer ces réponses",
  later: "Décider plus tard",
  conflict:
    "Quelqu’un d’autre a modifié les paramètres entre-temps. Vos choix sont conservés ci-dessous ; relisez-les et enregistrez à nouveau.",
};
