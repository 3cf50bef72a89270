import { HBaseError } from '../../model/errors.ts'

/**
 * How much a decoder makes of one message. Decoders count while they read and stop at the limit: a few bytes may state
 * a structure that takes a hundred times as many in memory.
 */
export interface DecodeLimits {
  /** Elements, objects and lists within each other. */
  readonly depthMax: number
  /** Rows of a cell set. */
  readonly batchMax: number
  /** Cells of a cell set; of other documents values, elements and attributes. */
  readonly elementsMax: number
}

export function tooMany(what: string, max: number): HBaseError {
  return new HBaseError('TOO_LARGE', `more than the ${max} ${what} of the limit`)
}

/** Counts the elements of one message. */
export class ElementCount {
  readonly #max: number
  #count = 0

  constructor({ elementsMax }: DecodeLimits) {
    this.#max = elementsMax
  }

  /** Throws TOO_LARGE above the limit. */
  add(): void {
    if (++this.#count > this.#max) throw tooMany('elements', this.#max)
  }
}
