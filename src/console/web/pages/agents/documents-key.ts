/** The key of the question for an agent's documents. */
export const documentsKey = (phoneId: string): string => `documents/${phoneId}`;
