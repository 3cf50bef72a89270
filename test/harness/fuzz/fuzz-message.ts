/** From the process that runs a target to its parent. */
export type FuzzMessage =
  | { readonly kind: 'find'; readonly seed: number; readonly broken: string }
  | { readonly kind: 'end'; readonly inputs: number }
