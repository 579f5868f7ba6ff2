const yesNo = { yes: "Sim", no: "Não" };
const everybody = "Para todas as pessoas.";

export const settings = {
  title: "Configurações: {{course}}",
  tabs: { label: "Partes das configurações", space: "Space", grades: "Notas", changes: "Alterações" },
  heading: { course: "Configurações do curso", link: "Configurações só deste link" },
  lead: {
    course:
      "Valem para todos os links deste curso, a partir da próxima entrada de cada pessoa. Quem já está dentro não é afetado.",
    link: "Valem para o link pelo qual você veio, a partir da próxima entrada por ele. O que ficar em “Como no curso” segue o curso.",
  },
  scope: { course: "Configurações do curso", link: "Configurações só deste link" },
  linkDiffers: "Este link tem configurações próprias, que prevalecem sobre estas.",
  changes: {
    kind: "Tipo de alteração",
    everything: "Todas as alterações",
    kinds: {
      attendance: "Presença",
      grades: "Notas",
      settings: "Configurações e Space",
      sessions: "Sessões",
      people: "Pessoas, seções e coortes",
      recordings: "Gravações",
    },
    show: "Mostrar",
    noneOfKind: "Ainda não há alteração deste tipo.",
  },
  locked: {
    by: "Definido pela sua instituição.",
    note: "Alguns valores são definidos pela sua instituição para todos os cursos. São mostrados aqui e não podem ser alterados.",
    aroundSessions: "Só em torno das sessões, de {{before}} minutos antes a {{after}} minutos depois",
  },
  audit: { course: "{{setting}}: {{value}}", link: "Só para um link, {{setting}}: {{value}}" },
  saved: "Salvo. Vale a partir da próxima entrada de cada pessoa.",
  notSaved: "Nada foi salvo ainda. Confira o que está marcado abaixo.",
  conflict: {
    heading: "Outra pessoa alterou estas configurações enquanto isso",
    lead: "Nada seu foi salvo ainda. O que a outra pessoa alterou:",
    change: "{{field}}: agora “{{now}}”, antes “{{was}}”",
    unseen: "O que você digitou está mantido. Confira a página e salve de novo.",
    then: "Onde só a outra pessoa alterou algo, a página abaixo já mostra a alteração; o resto está como você deixou. Confira e salve de novo.",
  },
  save: "Salvar",
  reset: {
    heading: { course: "Recomeçar", link: "Voltar às configurações do curso" },
    lead: {
      course:
        "Devolve tudo nesta página ao que um curso novo da sua instituição tem, exceto o que você informa sobre o Space. Antes, você vê o que isso muda.",
      link: "Desfaz tudo o que você escolheu para este link nesta página, exceto o que você informa sobre o Space dele. Antes, você vê o que isso muda.",
    },
    button: { course: "Restaurar padrões", link: "Usar as configurações do curso" },
    question: { course: "Restaurar os padrões?", link: "Usar as configurações do curso para este link?" },
    changes: "Nada foi alterado ainda. Isto é o que ficaria diferente:",
    same: "Já está assim; não há nada a mudar.",
    table: "O que a restauração muda",
    setting: "Configuração",
    was: "Agora",
    then: "Depois",
    back: "Voltar sem alterar nada",
  },
  groups: {
    enter: "Como as pessoas entram",
    see: "O que elas veem",
    when: "Quando os estudantes podem entrar",
    who: "Quem pode entrar",
    space: "Quem o próprio Space deixa entrar",
    newSpace: "Como o Space é criado",
  },
  inherit: {
    none: "Como no curso",
    course: "Como no curso ({{answer}})",
    lms: "Como a plataforma indica para este link ({{answer}})",
  },
  fields: {
    mode: {
      label: "Onde a sala de aula abre",
      hint: "Uma nova aba é a opção mais confiável. Dentro da página do curso, ela pode ficar sem câmera e microfone; nesse caso, a ferramenta oferece a aba. Em celulares e tablets, sempre abre uma nova aba.",
      who: everybody,
      answers: { tab: "Em uma nova aba", embedded: "Dentro da página do curso" },
    },
    call: {
      label: "A chamada começa sozinha",
      hint: "Com o primeiro docente ou com quem chegar primeiro; se não, alguém a inicia manualmente.",
      who: "Para docentes; com “Quando chega qualquer pessoa”, também para estudantes.",
      answers: {
        host: "Quando chega o primeiro docente",
        anyone: "Quando chega qualquer pessoa",
        nobody: "Não começa sozinha",
      },
    },
    skipDeviceSetup: {
      label: "Pular o teste de câmera e microfone",
      hint: "As pessoas entram então sempre com microfone e câmera desligados.",
      who: everybody,
      answers: yesNo,
    },
    startLocalRecording: {
      label: "A gravação começa com a chamada",
      hint: "A gravação é feita no navegador de cada pessoa, e ninguém entra na chamada sem permiti-la. Celulares e tablets não conseguem gravar assim e entram sem gravação.",
      who: everybody,
      answers: yesNo,
    },
    galleryView: {
      label: "Começar na visão de galeria",
      hint: "A imagem de todos em uma grade. Enquanto o modo líder estiver ativo, quem lidera decide.",
      who: everybody,
      answers: yesNo,
    },
    standalone: {
      label: "Ocultar as saídas da sala de aula",
      hint: "Retira a navegação para outros Spaces, Copy Link e Invite Users. Com “Não”, fica como sua instituição definiu.",
      who: everybody,
      answers: yesNo,
    },
    language: {
      label: "Idioma da sala de aula",
      hint: "É repassado à sala de aula, que não nos informa quais idiomas tem.",
      who: everybody,
      answers: {
        lms: "O de cada pessoa na plataforma",
        classroom: "A sala de aula escolhe",
      },
    },
    opens: {
      label: "A sala de aula fica aberta",
      hint: "Quem chega antes vê quando ela abre e entra nessa hora. Quem está dentro fica dentro.",
      who: "Para estudantes. Docentes podem entrar sempre.",
      answers: { always: "O tempo todo", "around-sessions": "Só em torno das sessões" },
    },
    minutesBefore: { label: "Minutos antes da sessão" },
    minutesAfter: { label: "Minutos depois da sessão" },
    who: {
      label: "A sala de aula é para",
      hint: "Os demais são informados a quem ela se destina. Estudantes cuja seção a plataforma de ensino não informa podem entrar.",
      who: "Para estudantes. Docentes podem entrar sempre.",
      answers: { all: "Todas as pessoas do curso", some: "Só estas seções ou grupos" },
    },
    sections: { label: "Seções ou grupos", none: "nenhum" },
    access: {
      label: "Este Space",
      hint: "Os estudantes são avisados antes de entrar.",
      answers: {
        unknown: "Deixa todos entrarem, ou não sei",
        "waiting-room": "Tem uma sala de espera",
        "invited-only": "Só aceita quem está na sua lista de convidados",
      },
    },
    newAccess: {
      label: "Acesso",
      hint: "Público: qualquer pessoa com o endereço do Space pode entrar. Só para convidados: quando o Space é criado, a sala de aula fica sabendo quem faz parte do curso, entre as pessoas que ela já conhece. Quem não conseguir entrar, talvez por ter chegado depois, você convida na própria sala de aula.",
      answers: { Public: "Público", Private: "Só para convidados" },
    },
    newWaiting: {
      label: "Sala de espera",
      hint: "Com sala de espera, um anfitrião deixa entrar cada participante manualmente.",
      answers: yesNo,
    },
  },
  problems: {
    choose: "Escolha uma das respostas oferecidas.",
    minutes: "Um número inteiro de 0 a {{most}}.",
    sections: "Marque pelo menos uma opção ou escolha todas as pessoas.",
  },
  door: {
    now: "No momento:",
    always: "aberta para estudantes.",
    session: "aberta para estudantes, porque há uma sessão em andamento, até",
    "no-session":
      "aberta para estudantes, porque não conhecemos nenhuma sessão futura. Ninguém fica de fora por algo que não sabemos.",
    "session-untimed": "aberta para estudantes, porque conhecemos uma sessão sem saber o horário dela.",
    early: "fechada para estudantes. Abre em",
    over: "fechada para estudantes, porque a única sessão do link já terminou.",
    cancelled: "fechada para estudantes, porque a única sessão do link foi cancelada.",
    deleted: "fechada para os estudantes, porque a única sessão do link foi excluída na sala.",
    oneSession: "Este link é de uma única sessão: “Só em torno das sessões” significa em torno dela.",
    noSections:
      "A plataforma de ensino não nos informou nenhuma seção ou grupo deste curso; por isso a sala só pode ficar aberta para todos.",
  },
  preview: {
    heading: "Os endereços resultantes",
    lead: "Para cá vão as pessoas que entram por um computador, segundo o que está escolhido acima, salvo ou não. O login delas é acrescentado na entrada.",
    button: "Mostrar os endereços",
    host: "Para docentes",
    participant: "Para estudantes",
    notMade: "O Space ainda não foi criado; SPACE-ID está no lugar do ID que ele terá.",
    none: "Os endereços não dizem mais nada à sala de aula.",
    meaning: "O que os endereços dizem",
    who: { both: "Para todas as pessoas.", host: "Só para docentes.", participant: "Só para estudantes." },
    says: {
      startCall: "A chamada começa sozinha quando entra o primeiro docente.",
      skipCallHostCheck: "A chamada começa com quem entrar primeiro, inclusive estudantes.",
      skipDeviceSetup: "Ninguém precisa testar os dispositivos; microfone e câmera começam desligados.",
      gv: "A imagem de todos em uma grade, salvo se quem lidera decidir outra coisa.",
      standalone: "Sem saídas para outros Spaces, sem Copy Link, sem Invite Users.",
      startLocalRecording:
        "A gravação começa com a chamada, no navegador de cada pessoa. Em celulares e tablets, não há gravação.",
      broadcastEvents: "A sala de aula informa à página: conexão, dispositivos e fim da chamada.",
    },
    language: {
      fixed: "A sala de aula é mostrada neste idioma: {{language}}.",
      reader:
        "A sala de aula é mostrada no idioma de cada pessoa na plataforma de ensino; aqui é o seu: {{language}}.",
    },
  },
  space: {
    heading: { course: "O Space deste curso", link: "O Space deste link" },
    made: "O curso tem este Space. Quem souber o endereço pode tentar entrar; quem ele deixa entrar só pode ser visto e mudado na sala de aula.",
    notMade: "O Space deste curso ainda não foi criado.",
    linked:
      "Este link abre outro Space, {{address}}. Não é possível perguntar à sala de aula quem ele deixa entrar; diga-nos o que você sabe.",
    forGood:
      "O curso ainda não tem Space; ele é criado logo depois que o primeiro docente abre a sala de aula. O que você escolher aqui vale se for salvo antes; depois, esta ferramenta não pode mudá-lo, só alguém na própria sala de aula.",
    unchangeable:
      "A ferramenta não pode consultar nem mudar quem um Space deixa entrar depois de criado. Faça isso na própria sala de aula e depois informe aqui.",
    ids: "Para convidar pessoas na sala de aula, você pode precisar dos IDs delas lá: estão na página “Pessoas”, para todos os que já foram preparados para entrar.",
    idOf: "ID na sala de aula:",
    former:
      "Antes, o curso tinha estes Spaces. Eles continuam na sala de aula, e as sessões realizadas neles pertencem a este curso.",
    late: "Outra pessoa deu outro Space a este curso enquanto isso. Nada seu foi alterado; é assim que está agora.",
    notes: {
      linked: "O curso agora tem este Space. As pessoas entram nele a partir da próxima vez.",
      tooLate:
        "O Space foi criado enquanto esta página estava aberta, com a configuração anterior. Se ele deve ter outro acesso ou sala de espera, crie um novo Space abaixo.",
      made: "O curso tem um novo Space. As pessoas entram nele a partir da próxima vez.",
    },
    problems: {
      missing: "Cole o endereço de um Space ou escolha um da lista.",
      unreadable:
        "Este não é o endereço de um Space da sua sala de aula. Cole um que comece com {{appUrl}}/spaces/, ou o ID que vem depois.",
      own: "O curso já tem este Space.",
    },
    another: {
      open: "Usar outro Space",
      heading: "Outro Space para este curso",
      lead: "Vale para todo o curso. Você vê o que isso significa antes de qualquer alteração.",
      now: "O curso tem agora este Space:",
      none: "O curso ainda não tem Space. Se você não vincular nenhum, um será criado na primeira entrada.",
      existing: "Um Space que já existe",
      address: "Endereço ou ID do Space",
      hint: "O endereço começa com {{begins}}",
      known: "Ou o Space de outro curso seu",
      noneKnown: "Nenhum deles",
      look: "Ver o que significa",
      fresh: "Um novo Space",
      freshLead: "Um novo Space está vazio: nada do que foi posto no antigo está nele.",
      lookNew: "Ver o que um novo significa",
    },
    change: {
      title: "Outro Space: {{course}}",
      heading: { link: "Vincular este Space ao curso?", new: "Criar um novo Space para o curso?" },
      lead: "Nada foi alterado ainda.",
      before: "O curso tem agora",
      after: "Passaria a ter",
      none: "Nenhum Space",
      fresh: "Um novo Space, vazio",
      means: "O que isso significa",
      kept: "O Space antigo fica na sala de aula com tudo o que há nele. Você pode vinculá-lo de novo pelo endereço.",
      grades: "Sessões realizadas no Space antigo, com presença e notas, ficam neste curso.",
      coming_one:
        "{{count}} sessão futura está ligada ao Space antigo: a presença é registrada só lá. Cancele-a e agende-a de novo.",
      coming_many:
        "{{count}} sessões futuras estão ligadas ao Space antigo: a presença é registrada só lá. Cancele-as e agende-as de novo.",
      coming_other:
        "{{count}} sessões futuras estão ligadas ao Space antigo: a presença é registrada só lá. Cancele-as e agende-as de novo.",
      manyComing_one:
        "Pelo menos {{count}} sessão futura está ligada ao Space antigo: a presença é registrada só lá. Cancele-a e agende-a de novo.",
      manyComing_many:
        "Pelo menos {{count}} sessões futuras estão ligadas ao Space antigo: a presença é registrada só lá. Cancele-as e agende-as de novo.",
      manyComing_other:
        "Pelo menos {{count}} sessões futuras estão ligadas ao Space antigo: a presença é registrada só lá. Cancele-as e agende-as de novo.",
      inside: "Quem está agora no Space antigo fica lá até sair.",
      unchecked:
        "A sala de aula não informa a esta ferramenta se existe um Space com este endereço nem quem ele deixa entrar. Entre nele você primeiro, antes dos seus estudantes.",
      access: {
        Public: "O novo Space é público: qualquer pessoa com o endereço pode entrar.",
        Private:
          "O novo Space é só para convidados. A sala de aula fica sabendo quem faz parte do curso, entre as pessoas que ela já conhece. Quem não conseguir entrar, talvez por ter chegado depois, você convida na própria sala de aula.",
      },
      waiting: "O novo Space tem sala de espera: um anfitrião deixa cada participante entrar.",
      forGood: "Acesso e sala de espera não podem ser mudados depois por esta ferramenta.",
      shared: "É também o Space de outros cursos:",
      sharedMeans:
        "As pessoas de todos esses cursos se encontram nele. Uma sessão que alguém agenda na própria sala de aula pertence a um só dos cursos; os outros a encontram entre as sessões não associadas.",
      share: "Os cursos podem dividir este Space",
      unsaid: "Marque esta opção se é isso que você quer.",
      button: { link: "Vincular este Space", new: "Criar novo Space" },
      back: "Voltar sem alterar nada",
    },
  },
  lms: {
    heading: "O que a plataforma de ensino indica para este link",
    lead: "Um link na plataforma de ensino pode levar parâmetros personalizados. Eles prevalecem sobre as configurações do curso; o que você escolhe nesta página prevalece sobre eles.",
    none: "Este link não leva nenhum para a sala de aula.",
    taken: "{{name}}: {{answer}}",
    overruled: "{{name}}: {{answer}}, mas prevalece sua escolha nesta página",
    ignored: "Não compreendidos e sem efeito:",
  },
};
