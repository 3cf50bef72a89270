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
  isRead: ({ kind }, output) => kind === 'read' || (kind === 'compareAndSet' && output === false),
  foundBy(input, output) {
    if (input.kind === 'read') return String(output)
    return input.kind === 'compareAndSet' && output === true ? input.from : undefined
  },
  madeBy(input) {
    if (input.kind === 'write') return input.value
    return input.kind === 'compareAndSet' ? input.to : undefined
  },
  kindOf(input, output) {
    if (input.kind === 'read' || input.kind === 'compareAndSet') return undefined
    return output === undefined || output === DONE ? JSON.stringify(input) : undefined
  },
}

/** A state of a row that no read has found, and none can find. */
const BEYOND = '\u0000'

/**
 * The model of a row with this history. Where the row was only appended to, each state leads to the longest that was read, or comes after it:
 * other orders of appends need not be tried, and those after it not be told from each other.
 */
export function modelOf(history: readonly RowOperation[]): Model<string, RowInput, RowOutput> {
  if (!history.every(({ input: { kind } }) => kind === 'append' || kind === 'read')) return ROW_MODEL
  let longest = ABSENT
  for (const { input, output } of history)
    if (input.kind === 'read' && typeof output === 'string' && output.length > longest.length)
      longest = output
  return {
    ...ROW_MODEL,
    step(state, input, output) {
      if (input.kind !== 'append') return ROW_MODEL.step(state, input, output)
      if (state === BEYOND) return BEYOND
      const next = ROW_MODEL.step(state, input, output)
      if (next === undefined || longest.startsWith(next)) return next
      return next.startsWith(longest) ? BEYOND : undefined
    },
  }
}

function changed(next: string, output: RowOutput | undefined): string | undefined {
  return output === undefined || output === DONE || output === next ? next : undefined
}
