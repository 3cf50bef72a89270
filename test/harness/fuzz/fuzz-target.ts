/** What `npm run fuzz` feeds with damaged input: a decoder, or a door behind its socket. */

import { isHBaseError } from '../../../src/model/errors.ts'

/** What a subject may keep of one input, in bytes: so many of any input, and so many more for each of its bytes. */
export interface KeptBytes {
  readonly base: number
  readonly perByte: number
}

export interface FuzzTarget {
  readonly name: string
  /** Inputs as real peers send them, from which mutations begin. Called once. */
  readonly seeds: () => readonly Buffer[]
  /** Gives one input to the subject. Returns all that the subject made of it, so that its memory can be measured. */
  readonly run: (input: Buffer) => unknown
  /** Whether the error is the subject's own answer to a bad input. Left out: an HBaseError is. */
  readonly isRefusal?: (error: unknown) => boolean
  /** Makes lengths and checksums right again, since hardly any mutation would get past them. */
  readonly seal?: (input: Buffer) => Buffer
  /** Left out: as much as the judge allows of any subject. */
  readonly kept?: KeptBytes
  /** Processor time that any input may take. Left out: as its bytes allow. */
  readonly ms?: number
  /** Before the first input. */
  readonly start?: () => Promise<void>
  /** After the last input. Throws where something is broken that no single input shows. */
  readonly stop?: () => Promise<void>
}

export function isRefusal(target: FuzzTarget, error: unknown): boolean {
  return target.isRefusal === undefined ? isHBaseError(error) : target.isRefusal(error)
}
