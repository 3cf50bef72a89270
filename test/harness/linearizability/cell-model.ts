import type { Model, Operation } from './check-linearizable.ts'

/** An operation on one row, whose cells all have the same value: ABSENT where there is no row. */
export type RowInput =
  | { readonly kind: 'read' }
  | { readonly kind: 'write'; readonly value: string }
  | { readonly kind: 'compareAndSet'; readonly from: string; readonly to: string }
  | { readonly kind: 'increment' }
  | { readonly kind: 'append'; readonly text: string }

/** The value that a read found or a change left; whether a comparison held; DONE for a change that tells no more. */
export type RowOutput = string | boolean
export type RowOperation = Operation<RowInput, RowOutput>

export const ABSENT = ''
export const DONE = true

export const ROW_MODEL: Model<string, RowInput, RowOutput> = {
  initial: ABSENT,
  step(state, input, output) {
    switch (input.kind) {
      case 'read':
        return output === undefined || output === state ? state : undefined
      case 'write':
        return input.value
      case 'compareAndSet': {
        const holds = state === input.from
        if (output !== undefined && output !== holds) return undefined
        return holds ? input.to : state
      }
      case 'increment':
        return changed(String(Number(state) + 1), output)
      case 'append':
        return changed(state + input.text, output)
    }
  },
}

function changed(next: string, output: RowOutput | undefined): string | undefined {
  return output === undefined || output === DONE || output === next ? next : undefined
}
