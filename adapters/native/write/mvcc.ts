import { assert } from '../../../src/model/assert.ts'
import { SEQUENCE_ID_MAX } from '../memstore/cell-arena.ts'

/**
 * Sequence ids of writes, and up to which of them reads see. A write takes the next id; it is seen once the log has it.
 * HBase: MultiVersionConcurrencyControl.
 */
export class Mvcc {
  #lastSequenceId: number
  #readPoint: number

  constructor(lastSequenceId = 0) {
    this.#lastSequenceId = lastSequenceId
    this.#readPoint = lastSequenceId
  }

  get lastSequenceId(): number {
    return this.#lastSequenceId
  }

  /** The greatest sequence id that a read sees. */
  get readPoint(): number {
    return this.#readPoint
  }

  next(): number {
    const next = this.#lastSequenceId + 1
    assert(next <= SEQUENCE_ID_MAX, 'the sequence ids have run out')
    this.#lastSequenceId = next
    return next
  }

  /** Notes an id that a former life of the store has used. */
  raise(sequenceId: number): void {
    if (sequenceId > this.#lastSequenceId) this.#lastSequenceId = sequenceId
  }

  /** All that was written is to be seen. */
  publish(): void {
    this.#readPoint = this.#lastSequenceId
  }
}
