export const told = {
  heading: "Qui le Space connaît",
  hosts: "Hôtes que le Space connaît : {{names}}.",
  noHosts: "Nous n’avons pas indiqué au Space qui sont ses hôtes.",
  later:
    "Arrivés plus tard : {{names}}. Ils entreront peut-être comme participants tant que personne ne les aura nommés hôtes dans la classe virtuelle ; nous ne le pouvons pas.",
  laterAdded: "Arrivés plus tard : {{names}}. Ils deviendront hôtes du Space en entrant.",
  learners:
    "Apprenants indiqués au Space : {{number}}. Il ne laisse entrer que les personnes de sa liste ; invitez dans la classe virtuelle celles qui sont arrivées plus tard.",
  failed:
    "La classe virtuelle n’a pas ajouté {{names}} au Space. Nous le redemanderons à leur prochaine entrée.",
  more: "{{number}} autres",
};
