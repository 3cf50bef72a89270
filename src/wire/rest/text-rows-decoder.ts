/**
 * Cell sets from JSON of text (wire/rest/json-rows.ts has the form):
 *
 *     {"rows":[{"key":text,"cells":[{"column":text,"timestamp":integer,"value":text}, ...]}, ...]}
 *     {"key":text,"cells":[...]}
 *
 * Keys, columns and timestamps may be left out; no member is taken twice. `int64` states a value as the integer of eight bytes;
 * beside a `value` it must say the same. Throws CORRUPTION or ILLEGAL_ARGUMENT, and TOO_LARGE above the limits.
 */

import type { DecodeLimits } from '../../model/decode-limits.ts'
import { HBaseError } from '../../model/errors.ts'
import { someMemory } from '../../model/mapped-memory.ts'
import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { unescape } from '../text/escaped-text.ts'
import { parseInt64 } from '../text/int64-text.ts'
import { JsonReader } from '../text/json-reader.ts'
import { checkJsonText } from '../text/json-text.ts'
import { CellInProgress, CellSet } from './cell-set.ts'

const ROWS = Buffer.from('rows')
const KEY = Buffer.from('key')
const CELLS = Buffer.from('cells')
const COLUMN = Buffer.from('column')
const TIMESTAMP = Buffer.from('timestamp')
const VALUE = Buffer.from('value')
const INT64 = Buffer.from('int64')

const INT64_BYTES = 8
const INTEGER = /^-?\d+$/

/** The members of one object that were read, a bit each. */
class Members {
  #seen = 0

  /** Throws CORRUPTION for one that was read before: which of the two was meant is not known. */
  read(reader: JsonReader, bit: number): void {
    if ((this.#seen & bit) !== 0) reader.fail(`the member "${reader.textString()}" is there twice`)
    this.#seen |= bit
  }
}

/** Undefined for an empty body. */
export function decodeTextRows(body: Buffer, limits: DecodeLimits): CellSet | undefined {
  checkJsonText(body)
  const reader = new JsonReader(body)
  if (reader.atEnd) return undefined
  const set = new CellSet(someMemory(body.length), limits)
  readDocument(reader, set)
  if (!reader.atEnd) reader.fail('more follows after the rows')
  return set
}

/** Rows, or a single row. */
function readDocument(reader: JsonReader, set: CellSet): void {
  const row = new RowInProgress()
  const members = new Members()
  reader.beginObject()
  for (let first = true; reader.nextMember(first); first = false) {
    if (reader.textIs(ROWS)) {
      members.read(reader, 1)
      readRows(reader, set)
    } else row.readMember(reader, set)
  }
  if (!row.isStated) return
  if (set.rowCount > 0) reader.fail('a document has rows, or is a row itself')
  row.finish(set)
}

function readRows(reader: JsonReader, set: CellSet): void {
  reader.beginArray()
  for (let firstRow = true; reader.nextElement(firstRow); firstRow = false) {
    const row = new RowInProgress()
    reader.beginObject()
    for (let first = true; reader.nextMember(first); first = false) row.readMember(reader, set)
    row.finish(set)
  }
}

class RowInProgress {
  isStated = false
  readonly #members = new Members()
  #key = 0
  #keyLength = -1

  readMember(reader: JsonReader, set: CellSet): void {
    this.isStated = true
    if (reader.textIs(KEY)) {
      this.#members.read(reader, 1)
      this.#key = set.length
      this.#keyLength = readText(reader, set)
    } else if (reader.textIs(CELLS)) {
      this.#members.read(reader, 2)
      readCells(reader, set)
    } else {
      reader.fail(`a row has no member "${reader.textString()}", only "key" and "cells"`)
    }
  }

  finish(set: CellSet): void {
    set.endRow(this.#key, this.#keyLength)
  }
}

function readCells(reader: JsonReader, set: CellSet): void {
  reader.beginArray()
  const cell = new CellInProgress()
  for (let first = true; reader.nextElement(first); first = false) readCell(reader, set, cell)
}

function readCell(reader: JsonReader, set: CellSet, cell: CellInProgress): void {
  let integer: bigint | undefined
  const members = new Members()
  reader.beginObject()
  for (let first = true; reader.nextMember(first); first = false) {
    if (reader.textIs(COLUMN)) {
      members.read(reader, 1)
      cell.column = set.length
      cell.columnLength = readText(reader, set)
    } else if (reader.textIs(TIMESTAMP)) {
      members.read(reader, 2)
      const timestamp = readInteger(reader)
      cell.high = timestampHigh(timestamp)
      cell.low = timestampLow(timestamp)
    } else if (reader.textIs(VALUE)) {
      members.read(reader, 4)
      cell.value = set.length
      cell.valueLength = readText(reader, set)
    } else if (reader.textIs(INT64)) {
      members.read(reader, 8)
      integer = readInteger(reader)
    } else {
      const known = '"column", "timestamp", "value" and "int64"'
      reader.fail(`a cell has no member "${reader.textString()}", only ${known}`)
    }
  }
  if (integer !== undefined) setInteger(set, cell, integer)
  cell.finish(set)
}

/** Throws ILLEGAL_ARGUMENT where the cell has another value already. */
function setInteger(set: CellSet, cell: CellInProgress, integer: bigint): void {
  if (cell.valueLength >= 0) {
    const isSame = cell.valueLength === INT64_BYTES && set.bytes.readBigInt64BE(cell.value) === integer
    if (isSame) return
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `a cell's int64 is ${integer} and its value says something else: state one`,
    )
  }
  const at = set.reserve(INT64_BYTES)
  set.bytes.writeBigInt64BE(integer, at)
  set.length = at + INT64_BYTES
  cell.value = at
  cell.valueLength = INT64_BYTES
}

/** Appends the bytes of a text to the set; returns their number. */
function readText(reader: JsonReader, set: CellSet): number {
  if (reader.peek() !== 'string') reader.fail('a text must be a string')
  reader.string()
  const { text, textStart, textEnd } = reader
  const start = set.reserve(textEnd - textStart)
  set.length = unescape(text, textStart, textEnd, set.bytes, start)
  return set.length - start
}

/** A number, or a string of its digits. */
function readInteger(reader: JsonReader): bigint {
  const kind = reader.peek()
  if (kind !== 'number' && kind !== 'string') reader.fail('an integer must be a number or a string')
  if (kind === 'string') reader.string()
  const digits = kind === 'string' ? reader.textString() : reader.number()
  if (!INTEGER.test(digits)) reader.fail(`"${digits.slice(0, 40)}" is no integer`)
  return parseInt64(digits)
}
