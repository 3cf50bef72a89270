/**
 * Runs an exchange with a server of which nobody knows yet whether it speaks the protocol that its address names. Throws REFUSED, with
 * the protocol that it does speak, where that is another one; otherwise what the exchange throws.
 */
export type Introduction = <T>(exchange: () => Promise<T>) => Promise<T>
