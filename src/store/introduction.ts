/**
 * Runs an exchange with a server that may not speak the protocol that its address names. Throws REFUSED, with
 * the protocol that it does speak, where that is another one; otherwise what the exchange throws.
 */
export type Introduction = <T>(exchange: () => Promise<T>) => Promise<T>
