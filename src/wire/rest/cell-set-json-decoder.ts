/**
 * Cell sets from JSON, by Jackson's rules: base64 must be whole, a timestamp may be a number or its text. Throws CORRUPTION
 * or ILLEGAL_ARGUMENT, and TOO_LARGE above the limits.
 * QUIRK rest-write-json-cell-timestamp-11-extra-1-16a055: an unknown member is refused.
 * QUIRK rest-write-json-cell-timestamp-9-9-5a4855: the fraction of a timestamp is cut off.
 * QUIRK rest-write-json-cell-timestamp-empty-321783: empty text is the timestamp 0, and so is null.
 */

import type { DecodeLimits } from '../../model/decode-limits.ts'
import { someMemory } from '../../model/mapped-memory.ts'
import { millisHigh, millisLow, timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { int64OfJsonNumber, parseInt64 } from '../text/int64-text.ts'
import { JsonReader } from '../text/json-reader.ts'
import { readBase64 } from './base64.ts'
import { CellInProgress, CellSet } from './cell-set.ts'
import { javaByte } from './java-numbers.ts'

const ROW = Buffer.from('Row')
const KEY = Buffer.from('key')
const CELL = Buffer.from('Cell')
const COLUMN = Buffer.from('column')
const TIMESTAMP = Buffer.from('timestamp')
const VALUE = Buffer.from('$')

/** Any number of so few digits is exact as a double. */
const SAFE_DIGITS = /^\d{1,15}$/

/** Undefined for an empty body and for null. */
export function decodeCellSetJson(body: Buffer, limits: DecodeLimits): CellSet | undefined {
  const reader = new JsonReader(body)
  if (reader.atEnd) return undefined
  // Room for everything: the bytes of a part are never more than its text.
  const set = new CellSet(someMemory(reader.text.length), limits)
  const isNull = reader.peek() === 'null'
  if (isNull) reader.nil()
  else readSet(reader, set)
  if (!reader.atEnd) reader.fail('more follows after the cell set')
  return isNull ? undefined : set
}

function readSet(reader: JsonReader, set: CellSet): void {
  reader.beginObject()
  for (let first = true; reader.nextMember(first); first = false) {
    if (!reader.textIs(ROW)) reader.fail(`a cell set has no member "${reader.textString()}"`)
    if (takesNull(reader)) {
      set.fault ??= 'the rows are null'
      continue
    }
    reader.beginArray()
    set.dropRows()
    for (let firstRow = true; reader.nextElement(firstRow); firstRow = false) {
      if (takesNull(reader)) set.fault ??= 'a row is null'
      else if (reader.peek() === 'string') readRowKey(reader, set)
      else readRow(reader, set)
    }
  }
}

/** QUIRK rest-body-json-set-row-text: a text is the key, not in base64, of a row without cells. */
function readRowKey(reader: JsonReader, set: CellSet): void {
  reader.string()
  const key = set.append(reader.text.subarray(reader.textStart, reader.textEnd))
  set.endRow(key, set.length - key)
}

function readRow(reader: JsonReader, set: CellSet): void {
  let key = 0
  let keyLength = -1
  reader.beginObject()
  for (let first = true; reader.nextMember(first); first = false) {
    if (reader.textIs(KEY)) {
      key = set.length
      keyLength = readBytes(reader, set)
    } else if (reader.textIs(CELL)) {
      readCells(reader, set)
    } else {
      reader.fail(`a row has no member "${reader.textString()}"`)
    }
  }
  set.endRow(key, keyLength)
}

function readCells(reader: JsonReader, set: CellSet): void {
  if (takesNull(reader)) {
    set.fault ??= 'the cells of a row are null'
    return
  }
  reader.beginArray()
  set.dropCells()
  const cell = new CellInProgress()
  for (let first = true; reader.nextElement(first); first = false) {
    if (takesNull(reader)) set.fault ??= 'a cell is null'
    else readCell(reader, set, cell)
  }
}

function readCell(reader: JsonReader, set: CellSet, cell: CellInProgress): void {
  reader.beginObject()
  for (let first = true; reader.nextMember(first); first = false) {
    if (reader.textIs(COLUMN)) {
      cell.column = set.length
      cell.columnLength = readBytes(reader, set)
    } else if (reader.textIs(TIMESTAMP)) {
      readTimestamp(reader, cell)
    } else if (reader.textIs(VALUE)) {
      cell.value = set.length
      cell.valueLength = readBytes(reader, set)
    } else {
      reader.fail(`a cell has no member "${reader.textString()}"`)
    }
  }
  cell.finish(set)
}

/** Appends the bytes of a base64 string, or of an array of numbers, to the set; returns their number, or -1 for null. */
function readBytes(reader: JsonReader, set: CellSet): number {
  if (takesNull(reader)) return -1
  const start = set.length
  if (reader.peek() === 'array') {
    readByteArray(reader, set)
    return set.length - start
  }
  reader.string(true)
  const end = readBase64(reader.text, reader.textStart, reader.textEnd, set.bytes, start)
  if (end < 0) reader.fail('the string before is not base64')
  set.length = end
  return end - start
}

/** Jackson: PrimitiveArrayDeserializers.ByteDeser. Each number takes two bytes of the body, so there is room. */
function readByteArray(reader: JsonReader, set: CellSet): void {
  reader.beginArray()
  for (let first = true; reader.nextElement(first); first = false) {
    set.bytes[set.length++] = readByte(reader)
  }
}

function readByte(reader: JsonReader): number {
  if (takesNull(reader)) return 0
  const kind = reader.peek()
  if (kind === 'number') return javaByte(reader.number())
  if (kind !== 'string') reader.fail('a byte must be a number')
  reader.string()
  return javaByte(reader.textString())
}

function readTimestamp(reader: JsonReader, cell: CellInProgress): void {
  const kind = reader.peek()
  if (kind === 'number') {
    const digits = reader.number()
    if (SAFE_DIGITS.test(digits)) {
      const millis = Number(digits)
      cell.high = millisHigh(millis)
      cell.low = millisLow(millis)
    } else {
      setTimestamp(cell, int64OfJsonNumber(digits))
    }
  } else if (kind === 'string') {
    reader.string()
    const text = reader.textString().trim()
    setTimestamp(cell, text.length === 0 ? 0n : parseInt64(text))
  } else if (takesNull(reader)) {
    setTimestamp(cell, 0n)
  } else {
    reader.fail('a timestamp must be a number')
  }
}

function setTimestamp(cell: CellInProgress, timestamp: bigint): void {
  cell.high = timestampHigh(timestamp)
  cell.low = timestampLow(timestamp)
}

function takesNull(reader: JsonReader): boolean {
  if (reader.peek() !== 'null') return false
  reader.nil()
  return true
}
