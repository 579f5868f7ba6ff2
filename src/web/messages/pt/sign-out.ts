export const signOut = {
  button: "Sair",
  title: "Sessão encerrada - {{course}}",
  heading: "Você saiu",
  what: "Esta página e todas as que você abriu a partir dela estão fechadas.",
  everywhere: "Todas as suas páginas deste curso estão fechadas, em todos os navegadores.",
  back: "Para voltar, abra o link da sala de aula no seu curso.",
  others_one: "Você abriu esta sala de aula mais uma vez e ainda está conectado lá.",
  others_many: "Você abriu esta sala de aula mais {{number}} vezes e ainda está conectado lá.",
  others_other: "Você abriu esta sala de aula mais {{number}} vezes e ainda está conectado lá.",
  endOthers: "Sair de lá também",
};
