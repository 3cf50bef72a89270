import { assert } from '../../../src/model/assert.ts'
import { SEQUENCE_ID_MAX } from '../memstore/cell-arena.ts'

/**
 * The sequence ids of writes, and the read point. A write takes the next id; reads see the write once the log has it.
 * HBase: MultiVersionConcurrencyControl.
 */
export class Mvcc {
  #lastSequenceId: number
  #readPoint: number
  /** Called before reads of this thread see the writes up to a sequence id. */
  onPublish: (readPoint: number) => void = () => undefined

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

  /** Notes an id that the store used before this start. */
  raise(sequenceId: number): void {
    if (sequenceId > this.#lastSequenceId) this.#lastSequenceId = sequenceId
  }

  /** Makes the writes so far visible, or those up to the sequence id. */
  publish(sequenceId: number = this.#lastSequenceId): void {
    const readPoint = Math.max(this.#readPoint, sequenceId)
    this.onPublish(readPoint)
    this.#readPoint = readPoint
  }
}
