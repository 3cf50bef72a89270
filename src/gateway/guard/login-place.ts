/** Where somebody logs in. */
export interface LoginPlace {
  readonly door: string
  /** The address that he comes from. */
  readonly address: string
}
