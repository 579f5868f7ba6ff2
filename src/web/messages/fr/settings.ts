const yesNo = { yes: "Oui", no: "Non" };
const everybody = "Pour tout le monde.";

export const settings = {
  title: "Paramètres : {{course}}",
  tabs: { label: "Parties des paramètres", space: "Space", grades: "Notes", changes: "Modifications" },
  heading: { course: "Paramètres du cours", link: "Paramètres de ce lien seulement" },
  lead: {
    course:
      "Ils valent pour tous les liens de ce cours, dès la prochaine entrée. Les personnes déjà à l’intérieur ne sont pas concernées.",
    link: "Ils valent pour le lien que vous avez ouvert, dès la prochaine entrée. Ce que vous laissez sur « Comme dans le cours » suit le cours.",
  },
  scope: { course: "Paramètres du cours", link: "Paramètres de ce lien seulement" },
  linkDiffers: "Ce lien a ses propres paramètres ; ils l’emportent sur ceux d’ici.",
  changes: {
    kind: "Type de modifications",
    everything: "Toutes",
    kinds: {
      attendance: "Présences",
      grades: "Notes",
      settings: "Paramètres et Space",
      sessions: "Séances",
      people: "Participants, sections et cohortes",
      recordings: "Enregistrements",
    },
    show: "Afficher",
    noneOfKind: "Pas encore de modification de ce type.",
  },
  locked: {
    by: "Fixé par votre établissement.",
    note: "Certaines valeurs sont fixées par votre établissement pour tous ses cours. Elles sont affichées ici et ne peuvent pas être modifiées.",
    aroundSessions: "Seulement autour des séances, de {{before}} minutes avant à {{after}} minutes après",
  },
  audit: { course: "{{setting}} : {{value}}", link: "Pour un seul lien, {{setting}} : {{value}}" },
  saved: "Enregistré. Cela vaut dès la prochaine entrée.",
  notSaved: "Rien n’est encore enregistré. Revoyez ce qui est signalé ci-dessous.",
  conflict: {
    heading: "Quelqu’un d’autre a modifié ces paramètres entre-temps",
    lead: "Rien de votre saisie n’est encore enregistré. Ce qui a été modifié :",
    change: "{{field}} : maintenant « {{now}} », avant « {{was}} »",
    unseen: "Votre saisie est conservée. Relisez la page et enregistrez à nouveau.",
    then: "Là où l’autre personne est seule à avoir modifié, la page ci-dessous en tient compte ; le reste est tel que vous l’avez laissé. Relisez et enregistrez à nouveau.",
  },
  save: "Enregistrer",
  reset: {
    heading: { course: "Recommencer à zéro", link: "Revenir aux paramètres du cours" },
    lead: {
      course:
        "Remet tout ce qui est sur cette page comme dans un nouveau cours de votre établissement, sauf ce que vous indiquez sur le Space. Vous voyez d’abord ce que cela change.",
      link: "Annule tout ce que vous avez choisi pour ce lien sur cette page, sauf ce que vous indiquez sur son Space. Vous voyez d’abord ce que cela change.",
    },
    button: { course: "Rétablir les valeurs par défaut", link: "Utiliser les paramètres du cours" },
    question: { course: "Rétablir les valeurs par défaut ?", link: "Reprendre les paramètres du cours ?" },
    changes: "Rien n’est encore modifié. Voici ce qui serait différent :",
    same: "C’est déjà le cas : il n’y a rien à modifier.",
    table: "Ce que change la réinitialisation",
    setting: "Paramètre",
    was: "Avant",
    then: "Après",
    back: "Revenir sans rien modifier",
  },
  groups: {
    enter: "Comment on entre",
    see: "Ce que l’on voit",
    when: "Quand les étudiants peuvent entrer",
    who: "Qui peut entrer",
    space: "Qui le Space lui-même laisse entrer",
    newSpace: "Comment le Space est créé",
  },
  inherit: {
    none: "Comme dans le cours",
    course: "Comme dans le cours ({{answer}})",
    lms: "Comme l’indique votre plateforme pour ce lien ({{answer}})",
  },
  fields: {
    mode: {
      label: "Où s’ouvre la classe virtuelle",
      hint: "Un nouvel onglet est le plus fiable. Dans la page du cours, la caméra et le micro peuvent manquer ; l’outil propose alors l’onglet. Sur téléphone et tablette, c’est toujours un nouvel onglet.",
      who: everybody,
      answers: { tab: "Dans un nouvel onglet", embedded: "Dans la page du cours" },
    },
    call: {
      label: "L’appel commence de lui-même",
      hint: "À l’arrivée du premier enseignant ou dès la première arrivée ; sinon, quelqu’un le lance.",
      who: "Pour les enseignants ; avec « Dès la première arrivée », aussi pour les étudiants.",
      answers: {
        host: "À l’arrivée du premier enseignant",
        anyone: "Dès la première arrivée",
        nobody: "Non",
      },
    },
    skipDeviceSetup: {
      label: "Passer la vérification de la caméra et du micro",
      hint: "On entre alors toujours avec le micro et la caméra éteints.",
      who: everybody,
      answers: yesNo,
    },
    startLocalRecording: {
      label: "L’enregistrement commence avec l’appel",
      hint: "L’enregistrement se fait dans le navigateur de chaque personne, et personne ne peut rejoindre l’appel sans l’autoriser. Les téléphones et les tablettes ne le permettent pas et rejoignent l’appel sans.",
      who: everybody,
      answers: yesNo,
    },
    galleryView: {
      label: "Commencer en mode galerie",
      hint: "L’image de chaque personne dans une grille. En mode leader, c’est le leader qui décide.",
      who: everybody,
      answers: yesNo,
    },
    standalone: {
      label: "Masquer les sorties de la classe virtuelle",
      hint: "Retire la navigation vers d’autres Spaces, « Copy Link » et « Invite Users ». Avec « Non », c’est comme votre établissement l’a réglé.",
      who: everybody,
      answers: yesNo,
    },
    language: {
      label: "Langue de la classe virtuelle",
      hint: "Elle est transmise à la classe virtuelle, qui ne nous indique pas les langues dont elle dispose.",
      who: everybody,
      answers: {
        lms: "Celle de chacun sur la plateforme",
        classroom: "Celle de la classe virtuelle",
      },
    },
    opens: {
      label: "La classe virtuelle est ouverte",
      hint: "Qui arrive plus tôt voit l’heure d’ouverture et entre à ce moment-là. Qui est à l’intérieur y reste.",
      who: "Pour les étudiants. Les enseignants peuvent toujours entrer.",
      answers: { always: "À tout moment", "around-sessions": "Seulement autour des séances" },
    },
    minutesBefore: { label: "Minutes avant une séance" },
    minutesAfter: { label: "Minutes après" },
    who: {
      label: "La classe virtuelle est destinée à",
      hint: "Les autres voient à qui elle est destinée. Un étudiant dont la plateforme n’indique pas la section peut entrer.",
      who: "Pour les étudiants. Les enseignants peuvent toujours entrer.",
      answers: { all: "Toutes les personnes du cours", some: "Seulement ces sections ou groupes" },
    },
    sections: { label: "Sections ou groupes", none: "aucun" },
    access: {
      label: "Ce Space",
      hint: "Les étudiants en sont informés avant d’entrer.",
      answers: {
        unknown: "Ouvert à tous, ou je ne sais pas",
        "waiting-room": "A une salle d’attente",
        "invited-only": "N’accepte que ses invités",
      },
    },
    newAccess: {
      label: "Accès",
      hint: "Public : toute personne qui a l’adresse du Space peut entrer. Sur invitation : à la création du Space, la classe virtuelle apprend qui fait partie du cours, pour les personnes qu’elle connaît déjà. Vous invitez dans la classe virtuelle elle-même les personnes qui ne peuvent pas entrer, par exemple parce qu’elles sont arrivées plus tard.",
      answers: { Public: "Public", Private: "Sur invitation seulement" },
    },
    newWaiting: {
      label: "Salle d’attente",
      hint: "Avec une salle d’attente, un hôte fait entrer chaque participant un par un.",
      answers: yesNo,
    },
  },
  problems: {
    choose: "Choisissez une des réponses proposées.",
    minutes: "Un nombre entier de 0 à {{most}}.",
    sections: "Cochez-en au moins un, ou choisissez toutes les personnes du cours.",
  },
  door: {
    now: "En ce moment :",
    always: "ouverte aux étudiants.",
    session: "ouverte aux étudiants, car une séance est en cours. Fermeture :",
    "no-session":
      "ouverte aux étudiants, car nous ne connaissons aucune séance à venir. Ce que nous ignorons ne ferme la porte à personne.",
    "session-untimed": "ouverte aux étudiants, car nous connaissons une séance sans en connaître l’heure.",
    early: "fermée aux étudiants. Ouverture :",
    over: "fermée aux étudiants, car la seule séance du lien est terminée.",
    cancelled: "fermée aux étudiants, car la seule séance du lien a été annulée.",
    deleted: "fermée aux étudiants, car l’unique séance du lien a été supprimée dans la classe virtuelle.",
    oneSession: "Ce lien mène à une seule séance : « autour des séances » signifie autour de celle-là.",
    noSections:
      "Votre plateforme ne nous a indiqué ni sections ni groupes pour ce cours : la classe virtuelle ne peut donc être ouverte qu’à tout le monde.",
  },
  preview: {
    heading: "Les adresses qui en résultent",
    lead: "Voici où sont dirigées les personnes qui viennent sur un ordinateur, selon les choix ci-dessus, enregistrés ou non. Leur identification s’ajoute à l’entrée.",
    button: "Afficher les adresses",
    host: "Pour un enseignant",
    participant: "Pour un étudiant",
    notMade: "Le Space n’est pas encore créé ; SPACE-ID tient la place de son futur identifiant.",
    none: "Les adresses n’indiquent rien d’autre à la classe virtuelle.",
    meaning: "Ce qu’indiquent les adresses",
    who: { both: "Pour tout le monde.", host: "Enseignants seulement.", participant: "Étudiants seulement." },
    says: {
      startCall: "L’appel commence de lui-même à l’arrivée du premier enseignant.",
      skipCallHostCheck: "L’appel commence dès la première arrivée, même celle d’un étudiant.",
      skipDeviceSetup: "Personne n’a à vérifier son matériel ; le micro et la caméra sont d’abord éteints.",
      gv: "L’image de chaque personne dans une grille, sauf si un leader en décide autrement.",
      standalone: "Pas de sorties vers d’autres Spaces, ni « Copy Link », ni « Invite Users ».",
      startLocalRecording:
        "L’enregistrement commence avec l’appel, dans le navigateur de chaque personne. Il n’a pas lieu sur les téléphones et les tablettes.",
      broadcastEvents:
        "La classe virtuelle informe la page qui l’entoure de la connexion, du matériel et de la fin de l’appel.",
    },
    language: {
      fixed: "La classe virtuelle s’affiche dans cette langue : {{language}}.",
      reader:
        "La classe virtuelle s’affiche dans la langue de chaque personne sur la plateforme ; ici, la vôtre : {{language}}.",
    },
  },
  space: {
    heading: { course: "Le Space de ce cours", link: "Le Space de ce lien" },
    made: "Le cours a ce Space. Toute personne qui connaît son adresse peut essayer d’y entrer ; qui est accepté ne se voit et ne se change que dans la classe virtuelle.",
    notMade: "Le Space de ce cours n’est pas encore créé.",
    linked:
      "Ce lien ouvre un autre Space, {{address}}. La classe virtuelle ne peut pas nous dire qui il laisse entrer : indiquez-nous ce que vous savez.",
    forGood:
      "Le cours n’a pas encore de Space ; il est créé peu après la première ouverture de la classe virtuelle par un enseignant. Vos choix ici valent s’ils sont enregistrés avant ; ensuite, cet outil ne peut plus les changer, seule une personne dans la classe virtuelle elle-même le peut.",
    unchangeable:
      "L’outil ne peut ni demander ni changer qui un Space laisse entrer une fois qu’il est créé. Faites-le dans la classe virtuelle elle-même, puis indiquez-le ici.",
    ids: "Pour inviter des personnes dans la classe virtuelle, il vous faut peut-être leurs identifiants : ils figurent sur la page « Participants », pour toutes les personnes dont l’entrée est préparée.",
    idOf: "Identifiant dans la classe virtuelle :",
    former:
      "Auparavant, le cours avait ces Spaces. Ils existent toujours dans la classe virtuelle, et les séances qui s’y tiennent appartiennent à ce cours.",
    late: "Quelqu’un d’autre a donné un autre Space à ce cours entre-temps. Rien de votre part n’a été modifié ; voici la situation actuelle.",
    notes: {
      linked: "Le cours a maintenant ce Space. On y entre dès la prochaine fois.",
      tooLate:
        "Le Space a été créé pendant que cette page était ouverte, selon les réglages précédents. S’il doit avoir un autre accès ou une autre salle d’attente, créez un nouveau Space ci-dessous.",
      made: "Le cours a un nouveau Space. On y entre dès la prochaine fois.",
    },
    problems: {
      missing: "Collez l’adresse d’un Space, ou choisissez-en un dans la liste.",
      unreadable:
        "Ce n’est pas l’adresse d’un Space de votre classe virtuelle. Collez-en une qui commence par {{appUrl}}/spaces/, ou l’identifiant qui suit.",
      own: "Le cours a déjà ce Space.",
    },
    another: {
      open: "Utiliser un autre Space",
      heading: "Un autre Space pour ce cours",
      lead: "Il vaut pour tout le cours. Vous voyez ce que cela signifie avant toute modification.",
      now: "Le cours a actuellement ce Space :",
      none: "Le cours n’a pas encore de Space. Si vous n’en liez aucun, il est créé à la première entrée.",
      existing: "Un Space qui existe déjà",
      address: "Adresse ou identifiant du Space",
      hint: "Son adresse commence par {{begins}}",
      known: "Ou le Space d’un autre de vos cours",
      noneKnown: "Aucun d’eux",
      look: "Voir ce que cela signifie",
      fresh: "Un nouveau Space",
      freshLead: "Un nouveau Space est vide : rien de ce qui a été mis dans l’ancien ne s’y trouve.",
      lookNew: "Voir ce qu’un nouveau Space signifie",
    },
    change: {
      title: "Un autre Space : {{course}}",
      heading: { link: "Lier ce Space au cours ?", new: "Créer un nouveau Space pour le cours ?" },
      lead: "Rien n’est encore modifié.",
      before: "Le cours a maintenant",
      after: "Il aurait",
      none: "Pas de Space",
      fresh: "Un nouveau Space, vide",
      means: "Ce que cela signifie",
      kept: "L’ancien Space reste dans la classe virtuelle avec tout ce qu’il contient. Vous pouvez le lier à nouveau par son adresse.",
      grades:
        "Les séances tenues dans l’ancien Space, leurs présences et les notes qui en viennent restent dans ce cours.",
      coming_one:
        "{{count}} séance à venir est rattachée à l’ancien Space : les présences ne sont relevées que dans celui-ci. Annulez-la et planifiez-la à nouveau.",
      coming_many:
        "{{count}} de séances à venir sont rattachées à l’ancien Space : les présences ne sont relevées que dans celui-ci. Annulez-les et planifiez-les à nouveau.",
      coming_other:
        "{{count}} séances à venir sont rattachées à l’ancien Space : les présences ne sont relevées que dans celui-ci. Annulez-les et planifiez-les à nouveau.",
      manyComing_one:
        "Au moins {{count}} séance à venir est rattachée à l’ancien Space : les présences ne sont relevées que dans celui-ci. Annulez-la et planifiez-la à nouveau.",
      manyComing_many:
        "Au moins {{count}} de séances à venir sont rattachées à l’ancien Space : les présences ne sont relevées que dans celui-ci. Annulez-les et planifiez-les à nouveau.",
      manyComing_other:
        "Au moins {{count}} séances à venir sont rattachées à l’ancien Space : les présences ne sont relevées que dans celui-ci. Annulez-les et planifiez-les à nouveau.",
      inside: "Les personnes qui sont dans l’ancien Space y restent jusqu’à ce qu’elles en sortent.",
      unchecked:
        "La classe virtuelle n’indique pas à cet outil si un Space avec cette adresse existe, ni qui il laisse entrer. Entrez-y vous-même une fois avant vos étudiants.",
      access: {
        Public: "Le nouveau Space est public : toute personne qui a son adresse peut entrer.",
        Private:
          "Le nouveau Space est sur invitation seulement. La classe virtuelle apprend qui fait partie du cours, pour les personnes qu’elle connaît déjà. Vous invitez dans la classe virtuelle elle-même les personnes qui ne peuvent pas entrer, par exemple parce qu’elles sont arrivées plus tard.",
      },
      waiting: "Le nouveau Space a une salle d’attente : un hôte fait entrer chaque participant un par un.",
      forGood: "Ensuite, cet outil ne peut plus changer l’accès ni la salle d’attente.",
      shared: "C’est aussi le Space d’autres cours :",
      sharedMeans:
        "Les personnes de tous ces cours s’y rencontrent. Une séance planifiée dans la classe virtuelle elle-même n’appartient qu’à l’un des cours ; les autres la trouvent parmi les séances non associées.",
      share: "Les cours peuvent partager ce Space",
      unsaid: "Cochez cette case si c’est ce que vous voulez.",
      button: { link: "Lier ce Space", new: "Créer un nouveau Space" },
      back: "Revenir sans rien modifier",
    },
  },
  lms: {
    heading: "Ce qu’indique votre plateforme pour ce lien",
    lead: "Sur la plateforme, un lien peut porter des paramètres personnalisés. Ils l’emportent sur les paramètres du cours ; vos choix sur cette page l’emportent sur eux.",
    none: "Il n’en porte aucun pour la classe virtuelle.",
    taken: "{{name}} : {{answer}}",
    overruled: "{{name}} : {{answer}}, mais votre choix sur cette page l’emporte",
    ignored: "Non compris, et sans effet :",
  },
};
