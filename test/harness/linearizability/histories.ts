import type { RowInput, RowOperation, RowOutput } from './cell-model.ts'

/** The histories of rows, on one clock that each begin and each end moves. */
export class Histories {
  readonly #histories = new Map<string, RowOperation[]>()
  #clock = 0

  /** An operation begins; the function that is returned tells its end. Not called: nobody knows whether it has happened. */
  begin(row: string, input: RowInput): (output: RowOutput) => void {
    const history = this.#histories.get(row) ?? []
    this.#histories.set(row, history)
    const place =
      history.push({ input, output: undefined, begin: this.#clock++, end: Number.POSITIVE_INFINITY }) - 1
    return (output) => {
      history[place] = { ...history[place]!, output, end: this.#clock++ }
    }
  }

  /** By row, without reads whose answers are not known. Forgets them. */
  take(): ReadonlyMap<string, readonly RowOperation[]> {
    const taken = new Map<string, readonly RowOperation[]>()
    for (const [row, history] of this.#histories)
      taken.set(
        row,
        history.filter(({ input, output }) => input.kind !== 'read' || output !== undefined),
      )
    this.#histories.clear()
    return taken
  }
}
