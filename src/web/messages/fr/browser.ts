export const browser = {
  opening: "Ouverture de la classe virtuelle",
  moment: "Un instant, s’il vous plaît.",
  elsewhere: {
    heading: "Ouvrez la classe virtuelle dans une nouvelle fenêtre",
    lead: "Dans cette page, votre navigateur ne conserve rien pour la classe virtuelle, qui ne pourrait donc pas vous reconnaître. Dans une fenêtre à part, elle le peut.",
    button: "Ouvrir dans une nouvelle fenêtre",
    opened:
      "La classe virtuelle s’est ouverte dans une nouvelle fenêtre. Vous pouvez revenir ici et l’ouvrir à nouveau à tout moment.",
    fetch:
      "Si vous avez choisi du contenu dans cette fenêtre, cette page le reprend d’elle-même. Sinon, continuez ici.",
    fetchButton: "Continuer ici",
  },
  byHand: {
    lead: "Cette page continue d’elle-même lorsque les scripts sont autorisés. Votre navigateur ne les autorise pas : choisissez comment continuer.",
    onward: "Continuer ici",
    posted:
      "Votre navigateur n’exécute pas de scripts sur cette page ; sans eux, la classe virtuelle ne peut pas vous reconnaître.",
  },
  lost: {
    heading: "Votre navigateur n’est pas reconnu",
    lead: "Votre navigateur n’a pas conservé ce qui protège cette ouverture. Retournez dans votre cours et ouvrez le lien dans une nouvelle fenêtre, ou autorisez les cookies pour la classe virtuelle, puis réessayez.",
  },
  admin: {
    summary: "Pour les administrateurs : ouvrir sans passer par cette page",
    window: "Faire ouvrir l’outil par la plateforme dans une nouvelle fenêtre :",
    moodle:
      "Moodle : dans les réglages de l’outil, choisissez « Nouvelle fenêtre » comme conteneur de lancement.",
    canvas: "Canvas : pour l’emplacement, donnez à « windowTarget » la valeur « _blank ».",
    cookies:
      "Ou laisser les navigateurs conserver les cookies de {{host}} au sein de la plateforme : les cookies partitionnés ou tiers ne doivent pas être bloqués pour ce site.",
  },
  reloaded:
    "Cette page ne peut pas être rechargée par son adresse. Ouvrez la classe virtuelle par le lien de votre cours ; rien n’est perdu.",
};
