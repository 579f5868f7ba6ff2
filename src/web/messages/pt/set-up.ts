export const setUp = {
  title: "Configurar: {{course}}",
  heading: "Três perguntas para começar",
  lead: "Tudo já funciona; as opções marcadas abaixo são as que valem agora. Você pode mudá-las a qualquer momento nas configurações.",
  grading: {
    legend: "1. A presença conta para a nota?",
    "one-column": "Sim, uma nota para todas as sessões juntas",
    "column-per-session": "Sim, uma nota para cada sessão",
    "no-grades": "Não, a presença é apenas registrada",
    example:
      "Presença, presença e atraso dão {{sum}} de {{points}} pontos. Faltas justificadas ficam fora do cálculo.",
  },
  mode: {
    legend: "2. Como as pessoas entram?",
    tab: "Em uma nova aba",
    embedded: "Dentro da página do curso",
    hints: {
      tab: "A opção mais confiável: câmera e microfone funcionam.",
      embedded: "Onde a página não tem acesso a câmera ou microfone, oferecemos uma nova aba.",
    },
  },
  start: {
    legend: "Estudantes podem iniciar a chamada?",
    no: "Não, ela começa quando entra o primeiro docente",
    yes: "Sim, ela começa com quem chegar primeiro",
  },
  opens: {
    legend: "3. Quando os estudantes podem entrar?",
    always: "A qualquer momento",
    "around-sessions":
      "Só em torno das sessões agendadas: de {{before}} minutos antes até {{after}} minutos depois. Enquanto não houver sessão agendada, a qualquer momento.",
  },
  locked: "definido pela sua instituição",
  save: "Salvar respostas",
  later: "Decidir depois",
  conflict:
    "Outra pessoa alterou as configurações enquanto isso. O que você escolheu está mantido abaixo; confira e salve de novo.",
};
