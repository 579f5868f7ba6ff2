export const registration = {
  title: "Registrar a ferramenta da sala de aula",
  done: "A ferramenta está registrada",
  doneText: "{{platform}} e esta ferramenta agora se conhecem.",
  next: {
    moodle:
      "A ferramenta aparece no Moodle como pendente. Feche esta janela, escolha “Ativar” por lá e depois mostre-a no seletor de atividades.",
    canvas:
      "Feche esta janela e conclua no Canvas: confira o que a ferramenta pode fazer, habilite-a e ative a chave dela.",
    other: "Se o LMS mostrar a ferramenta como pendente, ative-a por lá. Pode fechar esta janela.",
  },
  known: "Este LMS já estava registrado",
  knownText:
    "{{platform}} atualizou as próprias configurações da ferramenta. Nada mudou deste lado: cursos, notas e endereços continuam como antes.",
  knownOff:
    "O registro está desativado deste lado. Peça a quem opera a ferramenta da sala de aula que o ative; até lá, os acessos são recusados.",
  hidden: "O Moodle oculta a ferramenta até que você a mostre",
  hiddenText:
    "Cada registro e cada atualização tiram a ferramenta do seletor de atividades, e os professores não a encontram.",
  withheld: "Ainda não permitido",
  withheldText: "O LMS não deixa a ferramenta fazer tudo para que ela serve. Permita isto no LMS:",
  close: "Fechar esta janela",
  invitation: {
    lead: "Informe este endereço ao seu LMS, e os dois aprendem um do outro tudo de que precisam. Funciona uma vez, até",
    staging: "Um LMS registrado com ele usa o ambiente de teste da sala de aula, para experimentar.",
    address: "Endereço de registro",
    moodle: {
      heading: "No Moodle",
      open: "Abra Administração do site > Plugins > Módulos de atividade > Ferramenta externa > Gerenciar ferramentas.",
      paste: "Cole o endereço de registro em “URL da ferramenta” e escolha “Adicionar LTI Advantage”.",
      activate: "Quando a janela fechar, escolha “Ativar” no cartão da ferramenta.",
      show: "Abra as configurações da ferramenta (o lápis) e, em “Uso da configuração da ferramenta”, escolha mostrá-la no seletor de atividades e como ferramenta pré-configurada.",
      network:
        "O Moodle pede a esta ferramenta as chaves dela. Se ele não puder alcançar o endereço da ferramenta (uma rede privada ou uma porta que não seja 80 nem 443), permita isso em Administração do site > Geral > Segurança > Segurança HTTP.",
    },
    canvas: {
      heading: "No Canvas",
      open: "Como administrador da conta, abra Admin > Developer Keys > + Developer Key > LTI Registration. Em Canvas mais recentes: Admin > Apps > Manage > Install a New App > LTI 1.3, Dynamic Registration.",
      paste: "Cole o endereço de registro e continue.",
      review: "Confira o que a ferramenta pede, deixe todos os serviços ativados e escolha Enable & Close.",
      install:
        "Se a ferramenta não aparecer nos cursos por si só: Settings > Apps > + App, tipo de configuração By Client ID, com o número da chave. Em um curso ou uma subconta, os mesmos passos a instalam só ali.",
      json: "Onde não há registro dinâmico: + Developer Key > LTI Key, método Enter URL, com este endereço. Depois, informe o número da chave a quem opera a ferramenta da sala de aula.",
      jsonAddress: "Configuração do Canvas",
    },
    other: {
      heading: "Em outro LMS",
      open: "Procure ferramentas LTI 1.3 (LTI Advantage) e, ali, registro dinâmico ou uma URL de registro.",
      paste: "Cole o endereço de registro, conclua na janela que se abre e ative a ferramenta.",
      scopes: "Deixe a ferramenta ler as pessoas do curso e gravar as notas dele.",
    },
    byHand: {
      heading: "Manualmente",
      text: "Onde o LMS não registra ferramentas por si só, informe estes valores. Depois, passe a quem opera a ferramenta da sala de aula o que o LMS mostra: emissor (ID da plataforma), ID do cliente, ID de implantação e os endereços de autenticação, tokens de acesso e chaves públicas.",
      launch: "URL da ferramenta, link de destino e endereço de redirecionamento",
      login: "Endereço de início de login",
      keys: "Endereço do conjunto de chaves públicas",
      logo: "Ícone",
      moodleParameters: "Parâmetros personalizados, Moodle",
      otherParameters: "Parâmetros personalizados, outros LMS",
      scopes: "Serviços (escopos)",
    },
    copy: "Copiar",
    copyWhat: "Copiar: {{what}}",
    copied: "Copiado: {{what}}",
    copiedShort: "Copiado",
    selected: "Selecionado. Copie com Ctrl+C, ou ⌘C no Mac.",
  },
  sameLms: {
    open: "A mesma plataforma de um registro anterior",
    heading: "É a mesma plataforma de um registro anterior?",
    lead: "Quando uma ferramenta foi excluída numa plataforma e registrada de novo, ela tem outro ID de cliente e os cursos recomeçam com novos Spaces. Diga qual registro anterior este continua; os cursos dele mantêm seus Spaces, pessoas e notas.",
    none: "Nenhuma outra plataforma está registrada.",
    which: "Registro anterior",
    look: "Ver o que isso significa",
    plan: "O que aconteceria",
    reached:
      "{{name}} é acessada pelo ID de cliente {{fresh}} em vez de {{earlier}}, que passa a ser recusado.",
    lastUsed: "Último uso do anterior",
    kept: "Cursos que mantêm seus Spaces, pessoas e notas; suas colunas são procuradas de novo quando forem abertos",
    moved: "Cursos abertos desde então, que passam com tudo o que há neles",
    replaced: "Cursos abertos nos dois, sem nada no novo: vale o anterior",
    conflicts: "Cursos em uso nos dois: vale o anterior, e o que há no novo fica fora de alcance",
    once: "Leva alguns segundos, em que este registro fica desligado, e não pode ser desfeito.",
    confirm: "É a mesma plataforma",
  },
  audiences: {
    heading: "Tokens destinados também a outros",
    text: "Um início cujo token nomeia outro destinatário (audience) além desta ferramenta é recusado. Nomeie aqueles em quem você confia, um por linha; normalmente não há nenhum.",
    label: "Outros destinatários confiáveis, um por linha",
    save: "Salvar",
    tooMuch: "No máximo {{audiences}} linhas de {{characters}} caracteres cada. Nada foi salvo.",
  },
  family: {
    says: "O LMS chama-se a si mesmo «{{product}}».",
    unknown: "Será conhecido pelo primeiro acesso",
    contradiction:
      "Este LMS é tratado como {{family}}, mas os seus acessos dizem «{{product}}». Escolha o que é: notas e cursos seguem as regras de cada produto.",
    save: "Salvar o tipo de LMS",
    learn: "O que o próprio LMS diz",
  },
};
