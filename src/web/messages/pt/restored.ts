export const restored = {
  text: "Os dados desta ferramenta foram recuperados de um backup em {{when}}. O que aconteceu entre {{backup}} e esse momento só é conhecido até onde a sala e o livro de notas o dizem.",
  textUnknown:
    "Os dados desta ferramenta foram recuperados de um backup em {{when}}. O que aconteceu entre o backup e esse momento só é conhecido até onde a sala e o livro de notas o dizem.",
  stillToCompare:
    "Ainda por comparar com o livro de notas: {{number}}. Nenhuma delas é enviada enquanto isso.",
  different: "Notas que diferem do livro de notas: {{number}}.",
  unread: "Não foi possível ler o livro de notas para {{number}}; elas são mostradas como estão no backup.",
  open: "Ver as diferenças",
  title: "Diferenças em relação ao livro de notas: {{course}}",
  heading: "Notas que diferem do livro de notas",
  lead: "Cada uma pode ser de um docente ou ter sido enviada daqui depois do backup. Nada é enviado por cima até você decidir.",
  attendance:
    "A presença é lida de novo na sala; uma nota que então resulte igual à do livro sai sozinha desta lista.",
  choose: "Escolher {{name}}",
  ours: "A nossa",
  sendChosen: "Enviar a nossa para as escolhidas",
  keepChosen: "Manter a do livro para as escolhidas",
  sendAll: "Enviar a nossa para todas",
  keepAll: "Manter a do livro para todas",
  keepHint: "Uma nota mantida fica como está, mesmo que a presença mude depois, até você enviar a nossa.",
  none: "Nenhuma nota difere.",
  nothingChosen: "Nada foi escolhido. Escolha primeiro notas na lista.",
  decided: "Decididas: {{number}}. Abaixo você vê o que resta.",
  back: "Todas as notas",
  whyDiffers:
    "Os dados foram recuperados de um backup, e o livro tem {{theirs}}: uma nota de um docente, ou uma nossa posterior. Nada é enviado por cima até um docente dizer.",
  whyEmpty:
    "Os dados foram recuperados de um backup, e o livro já não tem nota. Nada é enviado até um docente dizer.",
  values: "A nossa: {{ours}}; no livro: {{theirs}}, vista em {{when}}.",
  valuesEmpty: "A nossa: {{ours}}; no livro, nenhuma, visto em {{when}}.",
  keep: "Manter a do livro",
  keepLabel: "Manter a nota do livro para {{name}}",
  consoleHeading: "Depois de uma restauração",
  consoleLead:
    "O banco de dados foi recuperado de um backup. Cada nota é comparada com o seu livro antes de qualquer envio; onde difere, um docente do curso decide na página de notas.",
  consoleNone: "Nenhum curso tem notas por comparar ou que diferem.",
  course: "Curso",
  scores: "Notas",
  since: "Restaurado",
  more: "São mostrados os {{number}} cursos com mais notas.",
};
