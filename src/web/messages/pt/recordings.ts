export const recordings = {
  title: "Gravações: {{course}}",
  heading: "Gravações",
  zone: "Horários de {{zone}}.",
  empty: {
    heading: "Ainda não há gravações",
    teaching:
      "Elas aparecem aqui cerca de uma hora depois de uma aula gravada. Os estudantes veem as que você publicar.",
    learning: "Quando a gravação de uma aula for publicada, ela aparece aqui.",
    noSpace:
      "A sala de aula deste curso ainda não foi aberta. As gravações aparecem aqui depois da primeira aula.",
  },
  lead: {
    hidden: "Os estudantes veem uma gravação quando você a publica.",
    published: "Os estudantes veem novas gravações assim que ficam prontas. Você pode ocultar qualquer uma.",
  },
  look: {
    again: "Verificar de novo",
    under: "Estamos consultando a sala de aula. Isso leva alguns segundos.",
    refresh: "Mostrar o que chegou",
    readAt: "Última consulta: {{when}}.",
    never: "A lista da sala de aula ainda não foi consultada.",
    notOffered:
      "Esta sala de aula não tem uma lista de gravações para consultar. Elas aparecem aqui quando a sala as informa.",
    problem:
      "Não foi possível ler a lista da sala de aula: {{problem}} O que aparece aqui pode estar desatualizado.",
    more: "A sala de aula tem mais gravações do que as mostradas aqui.",
    unplaced_one:
      "A sala de aula lista {{count}} gravação sem dizer de qual Space. Ela aparece aqui quando a sala a informar.",
    unplaced_many:
      "A sala de aula lista {{count}} gravações sem dizer de qual Space. Elas aparecem aqui quando a sala as informar.",
    unplaced_other:
      "A sala de aula lista {{count}} gravações sem dizer de qual Space. Elas aparecem aqui quando a sala as informar.",
  },
  untitled: "Gravação de {{when}}",
  sessionUntitled: "Sessão de {{when}}",
  noSession: "Fora de uma sessão agendada",
  several: "Várias sessões são possíveis: {{sessions}}. Diga abaixo qual é.",
  severalForLearners: "De uma destas sessões: {{sessions}}",
  forSections: "Para {{sections}}",
  minutes_one: "{{count}} minuto",
  minutes_many: "{{count}} minutos",
  minutes_other: "{{count}} minutos",
  made: "Gravada em {{when}}",
  state: {
    processing: "Em processamento",
    ready: "Pronta",
    "transcript-ready": "Pronta, com transcrição e resumo",
    "transcript-only": "Transcrição pronta; a gravação ainda está em processamento",
    unavailable: "Gravação indisponível: a sala de aula não a tem mais",
  },
  awaited: {
    awaited: "A aula terminou. Se foi gravada, a gravação aparece aqui em cerca de uma hora.",
    "given-up": "Nenhuma gravação chegou. Provavelmente esta aula não foi gravada.",
    ended: "Terminou em {{when}}",
  },
  shown: {
    published: "Publicada: os estudantes a veem",
    hidden: "Oculta para estudantes",
    undecided: "Ainda não publicada",
  },
  open: {
    recording: "Assistir",
    transcript: "Transcrição",
    summary: "Resumo",
    recordingNamed: "Assistir a {{title}}, abre em nova aba",
    transcriptNamed: "Transcrição de {{title}}, abre em nova aba",
    summaryNamed: "Resumo de {{title}}, abre em nova aba",
    noAddress: "A sala de aula não informa o endereço: abra a gravação no Space.",
    noTranscriptAddress:
      "A transcrição e o resumo estão no Space: a sala de aula não informa o endereço deles.",
  },
  publish: "Publicar",
  publishNamed: "Publicar {{title}}",
  hide: "Ocultar",
  hideNamed: "Ocultar {{title}} dos estudantes",
  describe: {
    open: "Título e sessão",
    openNamed: "Título e sessão de {{title}}",
    title: "Título",
    titleHint: "Deixe em branco para usar o da sala de aula.",
    session: "Sessão",
    byTime: "Pelo horário",
    none: "Nenhuma sessão agendada",
    save: "Salvar título e sessão",
  },
  rule: {
    heading: "Novas gravações",
    hidden: "Os estudantes as veem depois que um docente as publica",
    published: "Os estudantes as veem assim que ficam prontas",
    hint: "Vale para as gravações que chegarem a partir de agora. As que já estão aqui ficam como estão. A gravação de uma sessão para algumas seções só é vista por essas seções.",
    save: "Salvar",
  },
  notice: {
    published: "Publicada. Os estudantes já a veem.",
    hidden: "Oculta. Os estudantes não a veem mais.",
    described: "Título e sessão salvos.",
    rule: "Salvo. Vale para as gravações que chegarem a partir de agora.",
    conflict:
      "Outra pessoa alterou isto desde que você abriu a página. É assim que está agora; nada seu foi salvo.",
    unknown: "Esta gravação ou sessão não é mais do curso. Nada foi salvo.",
  },
  page: "Página {{page}} de {{pages}}",
  pages: "Páginas de gravações",
  newer: "Mais recentes",
  older: "Mais antigas",
  leaving: {
    title: "Esta gravação fica em outro lugar",
    text: "A sala de aula guarda esta gravação em {{origin}}, que não é um dos endereços conhecidos dela. Abra só se você confia nesse site.",
    go: "Abrir em {{origin}}",
    back: "Voltar às gravações",
  },
};
