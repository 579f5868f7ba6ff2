export const institution = {
  heading: "Valeurs par défaut pour les cours de {{name}}",
  open: "Valeurs par défaut de ses cours",
  openLead: "Ce avec quoi les cours de ce LMS commencent, et ce que les enseignants ne peuvent pas modifier.",
  back: "Retour au LMS",
  lead: "Pour chaque valeur, vous pouvez ne rien fixer, fixer une valeur par défaut ou la verrouiller.",
  means: {
    default:
      "Une valeur par défaut est celle des nouveaux cours, et celle que les enseignants retrouvent en réinitialisant leurs paramètres. Les cours qui existent déjà gardent ce qu’ils ont.",
    locked_one:
      "Un verrou vaut aussitôt dans tous les cours, y compris ceux qui existent déjà, et l’emporte sur les choix faits pour un lien. Les enseignants voient la valeur et ne peuvent pas la modifier. Si vous retirez le verrou, un cours retrouve sa propre valeur.",
    locked_many:
      "Un verrou vaut aussitôt dans tous les cours, y compris les {{count}} qui existent déjà, et l’emporte sur les choix faits pour un lien. Les enseignants voient la valeur et ne peuvent pas la modifier. Si vous retirez le verrou, un cours retrouve sa propre valeur.",
    locked_other:
      "Un verrou vaut aussitôt dans tous les cours, y compris les {{count}} qui existent déjà, et l’emporte sur les choix faits pour un lien. Les enseignants voient la valeur et ne peuvent pas la modifier. Si vous retirez le verrou, un cours retrouve sa propre valeur.",
    grades:
      "Si vous verrouillez un réglage des notes, les notes de tous les cours sont recalculées et envoyées à leurs carnets de notes. Les notes que des enseignants y ont modifiées manuellement ne sont pas touchées, si le LMS les indique.",
  },
  states: {
    unset: "Non fixé",
    default: "Par défaut : les enseignants peuvent le modifier",
    locked: "Verrouillé : les enseignants ne peuvent pas le modifier",
  },
  stateOf: "{{rule}} : comment c’est fixé",
  value: "Valeur",
  groups: {
    entering: "Comment on entre",
    space: "Comment les Spaces sont créés",
    door: "Quand les étudiants peuvent entrer",
    grades: "Calcul des notes",
  },
  rules: {
    mode: "Où s’ouvre la classe virtuelle",
    call: "L’appel commence de lui-même",
    skipDeviceSetup: "Passer la vérification de la caméra et du micro",
    galleryView: "Commencer en mode galerie",
    standalone: "Masquer les sorties de la classe virtuelle",
    language: "Langue de la classe virtuelle",
    startLocalRecording: "L’enregistrement commence avec l’appel",
    newSpace: "Accès et salle d’attente des nouveaux Spaces",
    doorTimes: "La classe virtuelle est ouverte",
    kind: "Notes dans le carnet de notes",
    points: "Nombre maximal de points",
    credit: "Ce que rapporte une séance",
    denominator: "Diviser par",
    dropLowest: "Moins bonnes séances qui ne comptent pas",
    minimumSessions: "Note à partir de combien de séances",
    comment: "Explication dans le carnet de notes",
  },
  spaces: {
    label: "Quels Spaces les cours peuvent utiliser",
    approved: "Les leurs, et d’autres qui ont été approuvés",
    own: "Uniquement des Spaces créés pour des cours de ce LMS",
    hint: "Avec « Uniquement », les autres Spaces ne peuvent être ni liés ni ouverts, même approuvés, et personne ne peut les demander. Rien n’est supprimé : autorisés de nouveau, ils sont comme avant.",
  },
  staff: {
    heading: "Personnel qui n’enseigne pas",
    lead: "Les concepteurs de cours et les autres personnes que la plateforme ne nomme ni enseignant ni étudiant peuvent organiser un cours : ses paramètres, ses séances, ses personnes et ses enregistrements. C’est à vous de dire s’ils voient et modifient aussi les présences et les notes ; cela vaut aussitôt dans tous les cours.",
    roles: {
      developer: "Concepteur de cours (ContentDeveloper)",
      administrator: "Administrateur d’un cours",
      manager: "Gestionnaire d’un cours",
    },
    levels: {
      arrange: "Organiser le cours ; ni présences ni notes",
      teach: "Tout ce que peuvent les enseignants",
    },
  },
  save: "Enregistrer",
  saved: "Enregistré. Les verrous valent désormais ; là où des notes en dépendent, elles sont recalculées.",
  late: "Quelqu’un d’autre a modifié ces valeurs entre-temps : rien de votre saisie n’est donc enregistré. Elle est conservée ci-dessous ; enregistrez à nouveau pour qu’elle remplace la sienne. Ce qui est différent maintenant :",
};
