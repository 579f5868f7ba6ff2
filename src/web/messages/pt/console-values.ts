export const consoleValues = {
  heading: "O que o LMS precisa saber",
  lead: {
    moodle:
      "No Moodle: Administração do site > Plugins > Módulos de atividade > Ferramenta externa > Gerenciar ferramentas > configurar uma ferramenta manualmente. Versão do LTI: LTI 1.3; tipo de chave pública: URL do conjunto de chaves (keyset URL). Em “Serviços”, deixe a ferramenta usar as notas e os participantes; em “Privacidade”, compartilhe nomes e endereços de e-mail.",
    canvas:
      "No Canvas: Admin > Developer Keys > + Developer Key > LTI Key, método JWK public JWK URL. Ative os escopos abaixo e a própria chave.",
    other: "Onde o LMS pede uma ferramenta LTI 1.3:",
  },
  moodle: {
    launch: "Tool URL, Redirection URI e Content Selection URL",
    login: "Initiate login URL",
    keySet: "Public keyset",
    custom: "Parâmetros personalizados",
    scopes: "Serviços (escopos)",
  },
  canvas: {
    launch: "Target Link URI e Redirect URI",
    login: "OpenID Connect Initiation URL",
    keySet: "Public JWK URL",
    custom: "Campos personalizados",
    scopes: "LTI Advantage Services (escopos)",
  },
  other: {
    launch:
      "Link de destino e endereço de redirecionamento (Moodle: Tool URL, Redirection URI e Content Selection URL)",
    login: "Endereço de início de login (Moodle: Initiate login URL; Canvas: OpenID Connect Initiation URL)",
    keySet: "Endereço do conjunto de chaves (Moodle: Public keyset; Canvas: Public JWK URL)",
    custom: "Parâmetros personalizados, onde o LMS os aceita",
    scopes: "Serviços (escopos)",
  },
  canvasJson:
    "O Canvas pode receber tudo isto de uma vez: escolha o método Enter URL e informe este endereço.",
  canvasJsonLabel: "Configuração do Canvas",
};
