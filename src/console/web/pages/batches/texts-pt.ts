import { counted } from "../../frame/texts/languages.ts";
import type { Fault } from "./mapping.ts";

export const pt = {
  lead: "Uma mensagem para muita gente, a partir de um arquivo CSV, num ritmo que a rede aceita.",
  make: "Novo envio",
  empty: "Nenhum envio ainda",
  emptyHint:
    "Escolha um arquivo CSV com números de telefone, escreva a mensagem uma vez e acompanhe cada entrega aqui.",
  noneFound: "Nenhum envio com esses filtros",
  noPhones: "Adicione um telefone primeiro",
  noPhonesHint: "O envio sai por um dos telefones da conta.",
  name: "Nome",
  nameHint: "Só para a sua equipe: quem recebe não vê.",
  draftKept: "O envio que você começou ainda está aqui.",
  startOver: "Começar do zero",
  unnamed: (time: string) => `Envio de ${time}`,
  phone: "Telefone",
  state: "Situação",
  progress: "Andamento",
  made: "Criado",
  states: {
    all: "Todas",
    QUEUED: "Na fila",
    RUNNING: "Enviando",
    COMPLETED: "Concluído",
    FAILED: "Falhou",
    CANCELLED: "Cancelado",
    paused: "Pausado",
    planned: "Programado",
    closed: "Fora do horário",
    away: "Telefone desconectado",
  },
  file: {
    title: "1. O arquivo",
    hint: "Um arquivo CSV ou uma pasta de trabalho do Excel (.xlsx) com uma coluna de números de telefone. As outras colunas viram variáveis da mensagem.",
    choose: "Escolher um arquivo CSV ou .xlsx",
    drop: "ou solte-o aqui",
    other: "Escolher outro arquivo",
    summary: (name: string, lines: string, encoding: string) => `${name}: ${lines}, ${encoding}`,
    lines: (count: number) => counted(count, { one: "linha", other: "linhas" }),
    sheet: (name: string) => `planilha ${name}`,
    sheetChoice: "Planilha",
    separator: "Separador",
    separators: { ",": "Vírgula", ";": "Ponto e vírgula", "\t": "Tabulação", "|": "Barra vertical" },
    head: "A primeira linha tem os nomes das colunas",
    country: "Código do país para números sem ele",
    countryHint: "Só dígitos, como 55. Vazio: todos os números já têm o seu.",
    columns: "Colunas",
    role: (column: string) => `Uso da coluna ${column}`,
    roles: { number: "Número de telefone", variable: "Variável", unused: "Não usar" },
    variable: (column: string) => `Nome da variável da coluna ${column}`,
    titles: (text: string) => `Acima da tabela, e não recebe envio: ${text}`,
    openQuote: (line: string) =>
      `As aspas da linha ${line} nunca fecham, e tudo o que vem depois virou uma célula só. Corrija o arquivo e escolha-o de novo.`,
    tooMany: (most: string) => `Um envio tem no máximo ${most} destinatários. Divida o arquivo.`,
    empty: "O arquivo não tem linhas.",
    noNumbers: "Nenhuma coluna tem números de telefone. Escolha a coluna que os tem.",
    unreadable: "Não foi possível ler o arquivo.",
    refused: {
      old: "Este arquivo é de um formato antigo, como .xls: salve-o como .xlsx na planilha e escolha esse arquivo.",
      ods: "Este arquivo é uma planilha do OpenDocument (.ods): salve-a como .xlsx e escolha esse arquivo.",
      encrypted: "Uma senha protege esta planilha: salve-a sem senha e escolha esse arquivo.",
      archive:
        "Este arquivo é compactado, como um .zip ou uma planilha do Numbers: exporte-o como .xlsx ou CSV e escolha esse arquivo.",
      page: "Este arquivo é uma página ou XML com outro nome: abra-o na planilha, salve-o como .xlsx e escolha esse arquivo.",
      other:
        "Este arquivo não é uma tabela. Escolha um CSV ou uma planilha (.xlsx) que uma planilha ou uma agenda exportou.",
      large:
        "Esta planilha é grande demais: são lidos no máximo 10 MB. Apague as imagens e as outras planilhas, ou divida-a.",
      long: "Este arquivo é longo demais: uma planilha pode ter 50.000 linhas, e todas juntas 200.000. Divida-o.",
      broken: "Não foi possível ler esta planilha. Salve-a de novo como .xlsx ou CSV e escolha esse arquivo.",
    },
  },
  faults: {
    good: (count: number) => counted(count, { one: "linha pode ser enviada", other: "linhas podem ser enviadas" }),
    all: "Todas as linhas podem ser enviadas.",
    bad: (count: number) => counted(count, { one: "linha fica de fora", other: "linhas ficam de fora" }),
    list: "Linhas que ficam de fora",
    more: (count: string) => `e mais ${count}: baixe-as para ver todas`,
    download: "Baixar estas linhas",
    line: (line: string) => `Linha ${line}`,
    text(fault: Fault): string {
      switch (fault.is) {
        case "empty":
          return "não tem número";
        case "number":
          return `“${fault.cell}” não é um número de telefone`;
        case "several":
          return `“${fault.cell}” tem mais de um número: deixe só um`;
        case "date":
          return `“${fault.cell}” é uma data`;
        case "taxpayer":
          return `“${fault.cell}” é um CPF ou CNPJ, não um número de telefone`;
        case "unknown":
          return fault.country === ""
            ? `“${fault.cell}” não é um número de telefone com código do país`
            : `“${fault.cell}” não é um número de +${fault.country}: confira o DDD e os dígitos. Números de outros países começam com +`;
        case "unclear":
          return `“${fault.cell}” pode ser lido como dois números: escreva-o com + e o código do país`;
        case "shortened":
          return `“${fault.cell}” foi encurtado por uma planilha: formate a coluna como texto e exporte de novo`;
        case "duplicate":
          return `“${fault.cell}” já está na linha ${fault.of}`;
        default:
          return `“${fault.cell}” está sem valor para {{${fault.variable}}}`;
      }
    },
    reason: "Motivo",
  },
  message: {
    title: "2. A mensagem",
    kind: "Tipo de mensagem",
    text: "Texto",
    template: "Modelo",
    write: "Texto da mensagem",
    writeHint: "*negrito*, _itálico_, ~riscado~. Clique numa variável para inseri-la.",
    insert: (name: string) => `Inserir a variável ${name}`,
    window: "Passadas 24 horas da última mensagem da pessoa, esta rede só entrega modelos aprovados.",
    unknown: (names: string, known: string) =>
      `O arquivo não tem coluna para ${names}.${known === "" ? "" : ` Ele tem: ${known}.`}`,
    chooseTemplate: "Modelo",
    noTemplates: "Este telefone ainda não tem nenhum modelo aprovado.",
    toTemplates: "Criar um modelo",
    valueHint: "Um texto ou uma variável, como {{nome}}",
    preview: "Prévia",
    previewOf: (line: string) => `Prévia da linha ${line}`,
    before: "Linha anterior",
    after: "Próxima linha",
  },
  send: {
    title: "3. O envio",
    pace: "Ritmo",
    paces: (perMinute: string) => `${perMinute} por minuto`,
    perHour: (count: string) => `${count} por hora`,
    when: "Início",
    respectHours: "Somente no horário de funcionamento",
    now: "Agora",
    later: "Em outro horário",
    at: "Horário de início",
    plan: (messages: string, span: string) => `${messages}, em cerca de ${span}.`,
    messages: (count: number) => counted(count, { one: "mensagem", other: "mensagens" }),
    ends: (time: string) => `Termina por volta de ${time}.`,
    tryIt: "Simular",
    tried: (valid: string) => `O servidor conferiu: ${valid} seriam enviadas. Nada foi enviado.`,
    cost: (amount: string) => `Custaria cerca de ${amount} pela tabela de preços de hoje.`,
    unrated: (messages: string) => `${messages} sem preço conhecido não entram na conta.`,
    forecast: {
      refused: "O servidor recusaria este envio. Nada foi enviado.",
      latest: (time: string) =>
        `Se todos forem novos para o telefone, o limite diário de conversas novas o faz durar até ${time}.`,
      country: (country: string, messages: string, amount: string) => `${country}: ${messages}, ${amount}`,
      reasons: {
        RECIPIENT_INVALID: (count: string) => `${count} sem número utilizável.`,
        DUPLICATE_RECIPIENT: (count: string) => `${count} aparecem duas vezes no arquivo.`,
        TEMPLATE_NOT_APPROVED: () => "A rede não aprovou o modelo.",
        ANSWER_WINDOW_CLOSED: (count: string) =>
          `${count} não escreveram recentemente: para eles a rede só aceita um modelo.`,
        RECIPIENT_OPTED_OUT: (count: string) => `${count} só querem respostas, e não recebem a mensagem.`,
        DAY_LIMIT_REACHED: (count: string) => `O limite diário de mensagens do plano seria excedido em ${count}.`,
        NEW_PEOPLE_LIMIT_REACHED: (count: string) =>
          `O limite da rede de pessoas novas em 24 horas seria excedido em ${count}.`,
        BATCH_LIMIT_REACHED: () => "O telefone já tem três envios em andamento, o máximo permitido.",
      },
    },
    ask: {
      title: "Começar este envio?",
      planTitle: "Programar este envio?",
      to: "Para",
      people: (count: number) => counted(count, { one: "pessoa", other: "pessoas" }),
      from: "De",
      takes: "Duração",
      about: (span: string, end: string) => `cerca de ${span}, até por volta de ${end}`,
      starts: "Início",
      costs: "Custo",
      free: "Nada: esta rede não cobra por mensagem",
      amount: (amount: string) => `cerca de ${amount} pela tabela de preços de hoje`,
      banRisk:
        "O WhatsApp pode bloquear um número que escreve para muita gente que não o conhece. Envie só para quem espera esta mensagem.",
      yes: (people: string) => `Enviar para ${people}`,
      planYes: (people: string) => `Programar para ${people}`,
    },
    start: "Começar o envio",
    planIt: "Programar o envio",
    making: (done: string, all: string) => `Entregando ${done} de ${all} destinatários ao servidor`,
    undone: "Não foi possível entregar todos os destinatários ao servidor. O envio foi cancelado e nada saiu.",
    missing: {
      file: "Escolha um arquivo com pelo menos uma linha boa.",
      variable: "Corrija a mensagem: ela usa uma variável que o arquivo não tem.",
      phone: "Escolha um telefone.",
      text: "Escreva a mensagem.",
      template: "Escolha um modelo e preencha os valores.",
      fallback: "Complete o que o outro telefone envia, ou desligue isso.",
      time: "Escolha um horário no futuro.",
    },
  },
  one: {
    pause: "Pausar",
    resume: "Retomar",
    cancel: "Cancelar o envio",
    cancelTitle: "Cancelar este envio?",
    cancelText: (pending: string) =>
      `${pending} não saem, e este envio não poderá mais enviá-las. O que já saiu continua enviado.`,
    cancelled: "O envio foi cancelado.",
    sent: "Enviadas",
    failed: "Falharam",
    pending: "Na fila",
    cancelledCount: "Canceladas",
    rate: "Por minuto",
    end: "Fim previsto",
    started: "Começou",
    ended: "Terminou",
    planned: "Começa",
    opens: "Continua",
    awayHint: (since: string) =>
      `O telefone está desconectado desde ${since}. O envio continua sozinho quando ele voltar, e falha depois de 24 horas.`,
    toPhone: "Ver o telefone",
    message: "Mensagem",
    recipients: "Destinatários",
    recipient: "Destinatário",
    reason: "Motivo",
    values: "Valores",
    none: "Nenhum destinatário nesta situação",
    download: "Baixar em CSV",
    states: { PENDING: "Na fila", QUEUED: "A caminho", SENT: "Enviada", FAILED: "Falhou", CANCELLED: "Cancelada" },
    arrived: { QUEUED: "A caminho", SENT: "Enviada", DELIVERED: "Entregue", READ: "Lida", FAILED: "Falhou" },
    progress: "Andamento do envio",
  },
};
