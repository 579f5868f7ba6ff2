export const readiness = {
  heading: "Entrée préparée",
  all_one: "La seule personne de ce cours peut entrer tout de suite dans la classe virtuelle.",
  all_many:
    "Les {{number}} de personnes de ce cours peuvent toutes entrer tout de suite dans la classe virtuelle.",
  all_other:
    "Les {{number}} personnes de ce cours peuvent toutes entrer tout de suite dans la classe virtuelle.",
  some: "Peuvent entrer tout de suite dans la classe virtuelle : {{ready}} sur {{expected}}.",
  preparing_one:
    "L’entrée de {{number}} personne est en préparation. Inutile d’attendre : toute personne qui vient peut entrer.",
  preparing_many:
    "L’entrée de {{number}} de personnes est en préparation. Inutile d’attendre : toute personne qui vient peut entrer.",
  preparing_other:
    "L’entrée de {{number}} personnes est en préparation. Inutile d’attendre : toute personne qui vient peut entrer.",
  heldUp: "La préparation est bloquée pour le moment et reprend d’elle-même. {{problem}}",
  refused_one:
    "La classe virtuelle a refusé {{number}} personne. Un nouvel essai a lieu demain, et lorsqu’elle vient. {{problem}}",
  refused_many:
    "La classe virtuelle a refusé {{number}} de personnes. Un nouvel essai a lieu demain, et lorsqu’elles viennent. {{problem}}",
  refused_other:
    "La classe virtuelle a refusé {{number}} personnes. Un nouvel essai a lieu demain, et lorsqu’elles viennent. {{problem}}",
  later_one: "L’entrée de {{number}} personne sera préparée à sa venue.",
  later_many: "L’entrée de {{number}} de personnes sera préparée à leur venue.",
  later_other: "L’entrée de {{number}} personnes sera préparée à leur venue.",
  refresh: "Voir où cela en est",
  knownAs: "La classe virtuelle connaît cette personne sous le nom de « {{name}} ».",
};
