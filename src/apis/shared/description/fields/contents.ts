const FILE = "https://padaria-estrela.example/cardapio";

/** Contents whose fields are all optional, because one of several is needed. */
export const CONTENTS_FIELDS = {};
