/** The door and the address of a login. */
export interface LoginPlace {
  readonly door: string
  /** The address that he comes from. */
  readonly address: string
  /** The address of the trusted proxy that has told the other one; undefined: nobody has, it is that of the connection. */
  readonly via?: string | undefined
}
