import type { MutationBatch, RowMutation, RowsMutation } from '../../../src/model/mutation.ts'
import type { Call } from '../../../src/store/call.ts'
import type { MutationFailure, RowMutationOutcome, Rows } from '../../../src/store/rows.ts'
import type { Target } from '../../../src/store/target.ts'
import type { Engine } from '../engine/engine.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import type { WritePath } from '../write/write-path.ts'
import { type WriteWatch, watchedWrite } from '../write/write-watch.ts'
import type { NativeHandouts } from './native-handouts.ts'
import { NativeReads } from './native-reads.ts'

export class NativeRows extends NativeReads implements Rows {
  readonly #engine: Engine
  readonly #writes: WritePath

  constructor(engine: Engine, handouts: NativeHandouts, writes: WritePath) {
    super(engine, handouts)
    this.#engine = engine
    this.#writes = writes
  }

  mutate(target: Target, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    const { calls, tables } = this.#engine
    return calls.change(call, () => {
      const served = tables.served(target)
      return this.#watched(target, served, call, (watch) => this.#writes.mutate(served, batch, watch))
    })
  }

  mutateRow(target: Target, mutation: RowMutation, call: Call): Promise<RowMutationOutcome> {
    const { calls, tables } = this.#engine
    return calls.change(call, () => {
      const served = tables.served(target)
      return this.#watched(target, served, call, (watch) => this.#writes.mutateRow(served, mutation, watch))
    })
  }

  mutateRows(target: Target, mutation: RowsMutation, call: Call): Promise<boolean> {
    const { calls, tables } = this.#engine
    return calls.change(call, () => {
      const served = tables.served(target)
      return this.#watched(target, served, call, (watch) => this.#writes.mutateRows(served, mutation, watch))
    })
  }

  #watched<T>(
    target: Target,
    served: TargetRegions,
    call: Call,
    write: (watch: WriteWatch) => Promise<T>,
  ): Promise<T> {
    const { signal: gone, memory, trace } = call
    const watch = { check: (): void => this.checkChange(target, served, call), gone, memory }
    if (this.#engine.spans === undefined || trace === undefined) return write(watch)
    return watchedWrite(this.#engine.spans, trace, watch, write)
  }
}
