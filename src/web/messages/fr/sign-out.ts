export const signOut = {
  button: "Se déconnecter",
  title: "Déconnexion - {{course}}",
  heading: "Vous vous êtes déconnecté",
  what: "Cette page et toutes celles que vous avez ouvertes depuis elle sont fermées.",
  everywhere: "Toutes vos pages de ce cours sont fermées, dans tous les navigateurs.",
  back: "Pour revenir, ouvrez le lien de la classe virtuelle dans votre cours.",
  others_one: "Vous avez ouvert cette classe virtuelle une autre fois et vous y êtes encore connecté.",
  others_many:
    "Vous avez ouvert cette classe virtuelle {{number}} autres fois et vous y êtes encore connecté.",
  others_other:
    "Vous avez ouvert cette classe virtuelle {{number}} autres fois et vous y êtes encore connecté.",
  endOthers: "S’y déconnecter aussi",
};
