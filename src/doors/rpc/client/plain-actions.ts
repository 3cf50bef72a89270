/**
 * Puts and deletes of a Multi that state a row, a number of cells and nothing unusual, as nearly all do. One walk over the message and the
 * cells checks them and makes a batch of them, without an object an action. The reader of actions takes all others.
 */

import { readInt32 } from '../../../model/bytes.ts'
import {
  CELL_HEADER_BYTES,
  CellType,
  cellType,
  isStoredType,
  ROW_BYTES_MAX,
  rowLength,
  rowOffset,
} from '../../../model/cell.ts'
import { CELL_PREFIX_BYTES, CellBlock } from '../../../model/cell-block.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, type MutationOptions } from '../../../model/mutation.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { type MessageReader, WireType } from '../../../wire/rpc/message-reader.ts'
import type { CellSource } from '../messages/cell-source.ts'
import {
  DURABILITIES,
  MUTATION_KINDS,
  type MutationKind,
  type MutationMessage,
} from '../messages/read-mutation.ts'
import type { Action } from './action.ts'

/** More actions are read the other way: so many failures, with their reasons, may be in memory at the same time. */
const ACTIONS_MAX = 10_000
/** Longest number that is read here, in bits. */
const VARINT_BITS_MAX = 28

const { Action: OfAction, Mutation: OfMutation } = Field
const Tag = {
  index: (OfAction.index << 3) | WireType.Varint,
  mutation: (OfAction.mutation << 3) | WireType.LengthDelimited,
  row: (OfMutation.row << 3) | WireType.LengthDelimited,
  kind: (OfMutation.mutateType << 3) | WireType.Varint,
  durability: (OfMutation.durability << 3) | WireType.Varint,
  cellCount: (OfMutation.associatedCellCount << 3) | WireType.Varint,
} as const

/** Options by their durability. */
const OPTIONS: readonly MutationOptions[] = DURABILITIES.map((durability) =>
  durability === 'USE_DEFAULT' ? DEFAULT_MUTATION_OPTIONS : { durability },
)

export class PlainActions {
  /** The index of each action, as its client states it. */
  readonly indexes: number[] = []
  readonly #source: CellSource
  /** Where the first action's cells begin. */
  #start = 0
  readonly #ends: number[] = []
  readonly #options: MutationOptions[] = []
  #cells = 0
  // The action under the walk.
  #at = 0
  #index = 0
  #isPut = true
  #durability = 0
  #row = 0
  #rowLength = 0
  #cellCount = 0

  constructor(source: CellSource) {
    this.#source = source
  }

  get length(): number {
    return this.indexes.length
  }

  /** Of the cells of all actions. */
  get byteLength(): number {
    return this.#ends.at(-1) ?? 0
  }

  /** Takes the action in the reader's present field, and its cells. False: it is not plain, and nothing is taken. */
  take(reader: MessageReader): boolean {
    if (reader.wireType !== WireType.LengthDelimited || this.length === ACTIONS_MAX) return false
    if (this.length === 0) this.#start = this.#source.at
    this.#at = reader.at
    const end = this.#messageEnd(reader.buffer, reader.end)
    if (end < 0 || !this.#readAction(reader.buffer, end)) return false
    const cellsEnd = this.#cellsEnd(reader.buffer)
    if (cellsEnd < 0) return false
    // The action and its mutation.
    reader.countElement()
    reader.countElement()
    reader.at = end
    this.#source.at = cellsEnd
    this.#cells += this.#cellCount
    this.indexes.push(this.#index)
    this.#ends.push(cellsEnd - this.#start)
    this.#options.push(OPTIONS[this.#durability]!)
    return true
  }

  #readAction(buffer: Buffer, end: number): boolean {
    let hasMutation = false
    this.#index = this.length
    while (this.#at < end) {
      const tag = buffer[this.#at++]!
      if (tag === Tag.index) this.#index = this.#varint(buffer)
      else if (tag === Tag.mutation && !hasMutation) {
        hasMutation = true
        const mutationEnd = this.#messageEnd(buffer, end)
        if (mutationEnd < 0 || !this.#readMutation(buffer, mutationEnd)) return false
      } else return false
    }
    return hasMutation && this.#at === end && this.#index >= 0
  }

  #readMutation(buffer: Buffer, end: number): boolean {
    let kind: MutationKind | undefined
    this.#rowLength = 0
    this.#cellCount = 0
    this.#durability = 0
    while (this.#at < end) {
      const tag = buffer[this.#at++]!
      if (tag === Tag.row) {
        const rowEnd = this.#messageEnd(buffer, end)
        if (rowEnd < 0) return false
        this.#row = this.#at
        this.#rowLength = rowEnd - this.#at
        this.#at = rowEnd
      } else if (tag === Tag.kind) kind = MUTATION_KINDS[this.#varint(buffer)]
      else if (tag === Tag.durability) this.#durability = this.#varint(buffer)
      else if (tag === Tag.cellCount) this.#cellCount = this.#varint(buffer)
      else return false
    }
    if (this.#at !== end || (kind !== 'put' && kind !== 'delete')) return false
    this.#isPut = kind === 'put'
    const hasRow = this.#rowLength > 0 && this.#rowLength <= ROW_BYTES_MAX
    return hasRow && this.#cellCount > 0 && OPTIONS[this.#durability] !== undefined
  }

  /** Moves to the content of a message and returns its end; -1: it does not end before `end`. */
  #messageEnd(buffer: Buffer, end: number): number {
    const length = this.#varint(buffer)
    return length < 0 || length > end - this.#at ? -1 : this.#at + length
  }

  /** A number; -1: a larger one. */
  #varint(buffer: Buffer): number {
    const first = buffer[this.#at++]!
    if (first < 0x80) return first
    let value = first & 0x7f
    for (let shift = 7; shift < VARINT_BITS_MAX; shift += 7) {
      const byte = buffer[this.#at++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    return -1
  }

  /** The end of the action's cells; -1: they are too few, not of its row, not of its kind, or have tags. */
  #cellsEnd(message: Buffer): number {
    const { buffer, end } = this.#source
    const isPut = this.#isPut
    let { at } = this.#source
    for (let left = this.#cellCount; left > 0; left--) {
      if (at >= end) return -1
      const cell = at + CELL_PREFIX_BYTES
      const bytes = readInt32(buffer, at)
      const keyBytes = readInt32(buffer, cell)
      if (bytes !== CELL_HEADER_BYTES + keyBytes + readInt32(buffer, cell + 4)) return -1
      const type = buffer[cell + CELL_HEADER_BYTES + keyBytes - 1]!
      if (isPut ? type !== CellType.Put : type === CellType.Put || !isStoredType(type)) return -1
      if (!this.#isOfRow(message, buffer, cell + CELL_HEADER_BYTES)) return -1
      at = cell + bytes
    }
    return at
  }

  /** Compares the row with a cell's, whose length is at `at`. */
  #isOfRow(message: Buffer, buffer: Buffer, at: number): boolean {
    const row = this.#row
    const length = this.#rowLength
    if (((buffer[at]! << 8) | buffer[at + 1]!) !== length) return false
    const own = at + 2
    for (let i = length - 1; i >= 0; i--) if (message[row + i] !== buffer[own + i]) return false
    return true
  }

  /** All actions as one batch, which is a view of their cells in the request. */
  batch(): MutationBatch {
    const { buffer } = this.#source
    const end = this.#start + this.byteLength
    const memory = buffer.subarray(this.#start, end)
    return MutationBatch.inPlace(memory, this.#cells, this.#ends, this.#options)
  }

  /** The actions as objects, for requests of which others are not plain. */
  actions(): Action[] {
    const { buffer, takesTags: withTags } = this.#source
    let start = this.#start
    return this.indexes.map((index, i) => {
      const cells = new CellBlock(buffer, start, this.#start + this.#ends[i]!)
      const cell = start + CELL_PREFIX_BYTES
      start = cells.end
      const rowAt = rowOffset(cell)
      const mutation: MutationMessage = {
        kind: cellType(buffer, cell) === CellType.Put ? 'put' : 'delete',
        row: buffer.subarray(rowAt, rowAt + rowLength(buffer, cell)),
        cells,
        options: this.#options[i]!,
        timeRange: undefined,
        nonce: 0n,
        returnResults: true,
        withTags,
      }
      return { kind: 'mutation', index, mutation }
    })
  }
}
