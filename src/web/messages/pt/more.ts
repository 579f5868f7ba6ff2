/** What is said of a list of the classroom that was not read to its end. */
export const more = {
  read: "Lidos até agora: {{read}}.",
  readOf: "Lidos até agora: {{read}} de {{total}}.",
  goesOn: "O restante está sendo lido e aparece automaticamente.",
  why: {
    bound: "A lista é longa demais para ser lida de uma vez.",
    failed: "Uma parte da lista não chegou. A leitura continua automaticamente a partir daí.",
    repeats:
      "A sala de aula envia a mesma parte de novo em vez da seguinte. Avise quem administra esta ferramenta: as páginas da lista podem ser indicadas no arquivo de dialeto.",
    elsewhere: "A sala de aula indica outro servidor para o restante, e ele não é consultado.",
    "no-way":
      "A sala de aula não diz como obter o restante. Avise quem administra esta ferramenta: as páginas da lista podem ser indicadas no arquivo de dialeto.",
    fewer: "A sala de aula informa mais itens do que envia.",
  },
};
