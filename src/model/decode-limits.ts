import { HBaseError } from './errors.ts'

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

/** Elements of a message whose memory is not counted: a document of rows is decoded aside, and counts its cells itself. */
const UNPAID_ELEMENTS_MAX = 1_000_000
/** Memory of the objects that an element is made into, at most. */
const ELEMENT_BYTES = 160
/** Elements that are paid for at once. */
const PAID_ELEMENTS = 1024

/** Counts the elements of one message. */
export class ElementCount {
  readonly #max: number
  readonly #takeMemory: ((bytes: number) => void) | undefined
  #count = 0

  /** `takeMemory`: takes memory for the elements, and throws where there is none. Without it no more than 1,000,000 may come. */
  constructor({ elementsMax }: DecodeLimits, takeMemory?: (bytes: number) => void) {
    this.#max = takeMemory === undefined ? Math.min(elementsMax, UNPAID_ELEMENTS_MAX) : elementsMax
    this.#takeMemory = takeMemory
  }

  /** Throws TOO_LARGE above the limit. */
  add(): void {
    if (++this.#count > this.#max) throw tooMany('elements', this.#max)
    if (this.#count % PAID_ELEMENTS === 0) this.#takeMemory?.(PAID_ELEMENTS * ELEMENT_BYTES)
  }
}
