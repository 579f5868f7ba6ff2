export const copied = {
  heading: "Este curso foi copiado de {{source}}",
  question:
    "Usar aqui as configurações dele? A sala de aula em si é nova: nenhuma pessoa e nenhuma nota veio junto.",
  same: "As configurações dele são iguais às daqui; não há o que decidir. A sala de aula é nova: nenhuma pessoa e nenhuma nota veio junto.",
  changes: "O que mudaria:",
  take: "Usar essas configurações",
  decline: "Começar do zero",
  understood: "Entendi",
  answered: {
    taken: "Este curso usa agora as configurações do curso do qual foi copiado.",
    declined: "Este curso mantém as próprias configurações.",
    late: "Esta pergunta já foi respondida.",
  },
  settings: {
    mode: {
      tab: "A sala de aula abre em uma nova aba.",
      embedded: "A sala de aula é mostrada dentro da página do curso.",
    },
    startCall: {
      true: "A chamada começa quando chega o primeiro docente.",
      false: "A chamada não começa sozinha.",
    },
    startCallForEveryone: {
      true: "Quem chega primeiro inicia a chamada.",
      false: "Só docentes iniciam a chamada.",
    },
    skipDeviceSetup: {
      true: "As pessoas entram sem testar câmera e microfone, com ambos desligados.",
      false: "As pessoas testam câmera e microfone antes de entrar.",
    },
    galleryView: {
      true: "A sala de aula abre na visão de galeria.",
      false: "A sala de aula não abre na visão de galeria.",
    },
    standalone: {
      true: "Não há caminho da sala de aula para outras salas.",
      false: "Os caminhos da sala de aula para outras salas são mostrados.",
    },
    startLocalRecording: {
      true: "A gravação começa com a chamada, onde o navegador consegue gravar.",
      false: "A gravação não começa sozinha.",
    },
  },
  language: {
    lms: "O idioma da sala de aula segue a plataforma de ensino.",
    classroom: "A sala de aula escolhe o idioma.",
    other: "O idioma da sala de aula é {{language}}.",
  },
  door: {
    always: "Os estudantes podem entrar a qualquer momento.",
    aroundSessions:
      "Os estudantes podem entrar de {{before}} minutos antes até {{after}} minutos depois de uma sessão.",
  },
  noGrades: "A presença não gera nota.",
  columns: {
    course: "Há uma nota para todas as sessões juntas.",
    session: "Cada sessão tem nota própria, e não há nota para o conjunto.",
  },
  denominator: {
    "so-far": "A nota é a média das sessões realizadas até agora.",
    planned: "A nota é dividida por todas as sessões agendadas, inclusive as futuras.",
    fixed_one: "A nota é dividida por {{count}} sessão.",
    fixed_many: "A nota é dividida por {{count}} sessões, seja qual for o número de realizadas.",
    fixed_other: "A nota é dividida por {{count}} sessões, seja qual for o número de realizadas.",
  },
  dropLowest_one: "A pior sessão de cada estudante fica fora do cálculo da nota.",
  dropLowest_many: "As {{count}} piores sessões de cada estudante ficam fora do cálculo da nota.",
  dropLowest_other: "As {{count}} piores sessões de cada estudante ficam fora do cálculo da nota.",
  dropsNone: "Nenhuma sessão fica fora do cálculo por ser a pior de um estudante.",
  minimum_one: "Há nota a partir da primeira sessão que conta.",
  minimum_many: "Só há nota a partir de {{count}} sessões que contam.",
  minimum_other: "Só há nota a partir de {{count}} sessões que contam.",
  points: "A nota de presença vale {{points}} pontos.",
  credit: {
    PRESENT: "A presença vale {{percent}}%.",
    LATE: "O atraso vale {{percent}}%.",
    ABSENT: "A falta vale {{percent}}%.",
    EXCUSED: "A falta justificada vale {{percent}}%.",
  },
  leftOut: {
    PRESENT: "Sessões com presença ficam fora do cálculo da nota.",
    LATE: "Sessões com atraso ficam fora do cálculo da nota.",
    ABSENT: "Sessões com falta ficam fora do cálculo da nota.",
    EXCUSED: "Sessões com falta justificada ficam fora do cálculo da nota.",
  },
  comment: {
    true: "Ao lado da nota, o livro de notas mostra como ela foi calculada.",
    false: "Nada é escrito ao lado da nota no livro de notas.",
  },
};
