export const door = {
  title: "{{course}} : classe virtuelle",
  early: {
    heading: "La classe virtuelle n’est pas encore ouverte",
    opens: "Ouverture :",
    opensAt: "Ouverture à",
    lead: "Cette page continue d’elle-même à l’ouverture ; vous pouvez la laisser ouverte.",
    leadLong: "Revenez à ce moment-là, par le lien de votre cours.",
    now: "La classe virtuelle est ouverte.",
    button: "Entrer dans la classe virtuelle",
    units: { days: "j", hours: "h", minutes: "min", seconds: "s" },
    left: "Ouverture dans",
  },
  over: {
    heading: "Cette séance est terminée",
    lead: "Ce lien menait à une seule séance, et elle est terminée. Votre cours contient peut-être un lien vers la suivante.",
  },
  cancelled: {
    heading: "Cette séance a été annulée",
    lead: "Ce lien menait à une seule séance, et elle a été annulée. Demandez à votre enseignant quand aura lieu la prochaine.",
  },
  deleted: {
    heading: "Cette séance a été supprimée",
    lead: "Ce lien menait à une seule séance, qui n’existe plus. Demandez à votre enseignant quand aura lieu la prochaine.",
  },
  otherSections: {
    heading: "Cette classe virtuelle est destinée à d’autres groupes",
    lead: "Votre enseignant l’a ouverte uniquement à :",
    own: "Sur la plateforme, vous faites partie de : {{sections}}.",
    none: "Sur la plateforme, vous ne faites encore partie d’aucun groupe.",
    yours:
      "Si vous devez en faire partie, demandez à votre enseignant de vous y ajouter sur la plateforme, puis ouvrez à nouveau le lien de votre cours.",
  },
  notSetUp: {
    heading: "La classe virtuelle n’est pas encore prête",
    lead: "Elle n’est pas complètement reliée à votre cours : personne ne peut donc y entrer. Prévenez votre enseignant, qui pourra s’adresser à l’administrateur de la plateforme. Vous n’avez rien fait de mal.",
  },
  again: "Vérifier à nouveau",
  access: {
    "waiting-room":
      "Cette classe virtuelle a une salle d’attente : un hôte vous fera entrer. Restez sur sa page jusque-là.",
    "invited-only":
      "Seules les personnes figurant sur la liste des invités de cette classe virtuelle peuvent entrer. Si l’accès vous est refusé, demandez à votre enseignant de vous y ajouter.",
  },
};
