export const waiting = {
  heading: "Vous êtes dans la file d’attente de la classe virtuelle",
  lead: "On entre à tour de rôle. Vous entrerez automatiquement : vous n’avez rien à faire.",
  keepOpen:
    "Gardez cette page ouverte. Vous pouvez consulter d’autres pages en attendant : votre place est gardée, et cet onglet indique quand c’est votre tour.",
  next: "C’est bientôt votre tour.",
  before_one: "{{number}} personne est devant vous.",
  before_many: "{{number}} de personnes sont devant vous.",
  before_other: "{{number}} personnes sont devant vous.",
  time: {
    moment: "Encore quelques secondes.",
    seconds: "Encore {{seconds}} secondes environ.",
    underMinute: "Encore moins d’une minute.",
    minute: "Encore une minute environ.",
    minutes: "Encore {{minutes}} minutes environ.",
  },
  trouble:
    "La classe virtuelle ne répond pas pour le moment. Nous continuons d’essayer et vous gardez votre place.",
  ready: "C’est votre tour. La classe virtuelle s’ouvre.",
  offline: "La connexion est perdue. Nous continuons d’essayer ; vérifiez votre accès à Internet.",
  progress: "Progression dans la file",
  titles: {
    next: "Bientôt votre tour - {{course}}",
    before: "{{number}} avant vous - {{course}}",
    trouble: "Veuillez patienter - {{course}}",
    ready: "Entrée : {{course}}",
  },
  byHand: {
    refreshed: "Cette page s’actualise d’elle-même toutes les quelques secondes.",
    press: "Appuyez sur le bouton pour voir si c’est votre tour.",
    look: "Actualiser maintenant",
  },
  elsewhere: {
    heading: "Cette place dans la file appartient à un autre navigateur",
    what: "Seul le navigateur dans lequel le lien de la classe virtuelle a été ouvert peut attendre ici et entrer. Pour entrer vous-même, ouvrez le lien de la classe virtuelle dans votre cours ; les places dans la file sont conservées.",
    cookies:
      "S’il s’agit bien de ce navigateur, il n’a conservé aucun cookie de notre part : autorisez les cookies pour ce site, ou ouvrez à nouveau le lien de la classe virtuelle dans votre cours et laissez la page ouverte.",
  },
  over: {
    entered: {
      heading: "Cette page vous a déjà fait entrer",
      what: "Elle ne sert qu’une fois. Pour retourner dans la classe virtuelle, ouvrez à nouveau le lien de la classe virtuelle dans votre cours ; vous pourrez alors fermer cette page.",
    },
    gone: {
      heading: "Cette page n’a plus de place dans la file",
      what: "Si vous avez rouvert la classe virtuelle, votre place est dans l’onglet le plus récent : allez-y. Après une longue absence, ouvrez à nouveau le lien de la classe virtuelle dans votre cours.",
    },
  },
};
