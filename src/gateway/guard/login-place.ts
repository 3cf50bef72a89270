/** The door and the address of a login. */
export interface LoginPlace {
  readonly door: string
  /** The address that he comes from. */
  readonly address: string
}
