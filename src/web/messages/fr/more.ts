/** What is said of a list of the classroom that was not read to its end. */
export const more = {
  read: "Lu jusqu’ici : {{read}}.",
  readOf: "Lu jusqu’ici : {{read}} sur {{total}}.",
  goesOn: "La suite est en cours de lecture et arrive d’elle-même.",
  why: {
    bound: "La liste est trop longue pour être lue en une fois.",
    failed: "Une partie de la liste n’est pas arrivée. La lecture reprend là d’elle-même.",
    repeats:
      "La classe virtuelle renvoie la même partie au lieu de la suivante. Signalez-le à l’exploitant de cet outil : les pages de la liste peuvent être nommées dans le fichier de dialecte.",
    elsewhere: "La classe virtuelle renvoie pour la suite à un autre serveur, qui n’est pas interrogé.",
    "no-way":
      "La classe virtuelle n’indique pas comment obtenir la suite. Signalez-le à l’exploitant de cet outil : les pages de la liste peuvent être nommées dans le fichier de dialecte.",
    fewer: "La classe virtuelle annonce plus d’éléments qu’elle n’en envoie.",
  },
};
