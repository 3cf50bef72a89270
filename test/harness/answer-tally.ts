/**
 * Counts the answers of a load generator, so that two servers are compared only where they answer the same. Every answer's bytes are
 * counted. Rows and cells are read in the first answers, in each of a new length and in a sample: reading all would cost more than the server.
 */

/** Rows and cells of one answer. */
export interface Answered {
  readonly rows: number
  readonly cells: number
}

/** Reads a whole answer as it was received. Throws for an exception. */
export type ReadAnswer = (answer: Buffer) => Answered

export interface Answers {
  /** Bytes of an answer, on average. */
  readonly bytes: number
  /** Rows and cells of each answer; undefined where answers are not read. */
  readonly each: Answered | undefined
}

const FIRST = 16
const SAMPLE = 64
/** Lengths that are known: a loop whose answers all differ in length reads its sample only. */
const LENGTHS_MAX = 64

export class AnswerTally {
  readonly #read: ReadAnswer | undefined
  readonly #lengths = new Set<number>()
  #count = 0
  #bytes = 0
  #each: Answered | undefined

  /** `read` undefined: only bytes are counted. */
  constructor(read: ReadAnswer | undefined) {
    this.#read = read
  }

  /** True where the answer to the request that is sent next is to be read. */
  get readsNext(): boolean {
    return this.#read !== undefined && (this.#count < FIRST || this.#count % SAMPLE === 0)
  }

  /**
   * `chunks`: the whole answer; undefined where it was not kept. `isRead`: `readsNext` when its request was sent. Throws for an exception,
   * and for other rows or cells than the first answer had.
   */
  add(bytes: number, chunks: readonly Uint8Array[] | undefined, isRead: boolean): void {
    this.#count++
    this.#bytes += bytes
    if (chunks !== undefined && (isRead || this.#isNewLength(bytes))) this.#check(Buffer.concat(chunks))
  }

  result(): Answers {
    return { bytes: this.#count === 0 ? 0 : this.#bytes / this.#count, each: this.#each }
  }

  #isNewLength(bytes: number): boolean {
    const lengths = this.#lengths
    if (this.#read === undefined || lengths.has(bytes) || lengths.size >= LENGTHS_MAX) return false
    lengths.add(bytes)
    return true
  }

  #check(answer: Buffer): void {
    const answered = this.#read!(answer)
    this.#each ??= answered
    if (isSame(answered, this.#each)) return
    throw new Error(`one answer had ${answeredText(answered)}, another one ${answeredText(this.#each)}`)
  }
}

export function isSame(a: Answered, b: Answered): boolean {
  return a.rows === b.rows && a.cells === b.cells
}

export function answeredText({ rows, cells }: Answered): string {
  return `${rows} rows and ${cells} cells`
}
