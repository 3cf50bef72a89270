/** Columns as users type them, `family:qualifier:converter`, and values as converters print them. */

import { toStringBinary } from '../../model/bytes.ts'
import { splitColumn } from '../../model/column-name.ts'
import { type Columns, ColumnsBuilder } from '../../model/query.ts'
import { bytesOf, type Value } from '../ruby/values.ts'
import { refuse } from './shell-error.ts'

export interface NamedColumn {
  readonly family: Buffer
  /** Undefined: the whole family. */
  readonly qualifier: Buffer | undefined
  readonly converter: string | undefined
}

/**
 * A column from its text. A second colon ends the qualifier, and the name of a converter follows. HBase's shell reads the columns of
 * writes in the same way.
 */
export function namedColumn(value: Value): NamedColumn {
  const { family, qualifier } = splitColumn(bytesOf(value))
  if (qualifier === undefined) return { family, qualifier, converter: undefined }
  const parts = splitColumn(qualifier)
  return { family, qualifier: parts.family, converter: parts.qualifier?.toString() }
}

/** Prints values by the converters of their columns, and those of all other columns by a default. */
export class Converters {
  /** The converters by family and qualifier as latin1. */
  readonly #ofColumns = new Map<string, string>()
  readonly #others: string

  constructor(others = 'toStringBinary') {
    this.#others = others
  }

  /** The columns of a query. Remembers their converters. */
  columns(names: readonly Value[]): Columns {
    const builder = new ColumnsBuilder()
    for (const name of names) {
      const { family, qualifier, converter } = namedColumn(name)
      if (qualifier === undefined) builder.addFamily(family)
      else builder.addColumn(family, qualifier)
      if (qualifier !== undefined && converter !== undefined)
        this.#ofColumns.set(columnKey(family, qualifier), converter)
    }
    return builder.build()
  }

  /** The text of a row, a family or a qualifier. */
  name(bytes: Buffer): string {
    return converted(bytes, this.#others)
  }

  /** The text of a value: at least its first `lengthMax` characters; -1: all. */
  value(family: Buffer, qualifier: Buffer, value: Buffer, lengthMax = -1): string {
    const converter = this.#ofColumns.get(columnKey(family, qualifier)) ?? this.#others
    // A byte becomes at least one character.
    const isCut = converter === 'toStringBinary' && lengthMax >= 0 && value.length > lengthMax
    return converted(isCut ? value.subarray(0, lengthMax) : value, converter)
  }
}

function columnKey(family: Buffer, qualifier: Buffer): string {
  return `${family.toString('latin1')}:${qualifier.toString('latin1')}`
}

type Converter = (bytes: Buffer) => string

/** The methods of HBase's class Bytes that read a value. */
const CONVERTERS: Readonly<Record<string, Converter>> = {
  toStringBinary,
  toString: (bytes: Buffer) => bytes.toString(),
  toLong: sized(8, (bytes) => String(bytes.readBigInt64BE())),
  toInt: sized(4, (bytes) => String(bytes.readInt32BE())),
  toShort: sized(2, (bytes) => String(bytes.readInt16BE())),
  toFloat: sized(4, (bytes) => javaNumber(bytes.readFloatBE())),
  toDouble: sized(8, (bytes) => javaNumber(bytes.readDoubleBE())),
  toBoolean: sized(1, (bytes) => String(bytes[0] !== 0)),
  toHex: (bytes) => bytes.toString('hex'),
}

function sized(length: number, convert: Converter): Converter {
  return (bytes) => {
    if (bytes.length < length)
      refuse(`offset (0) + length (${length}) exceed the capacity of the array: ${bytes.length}`)
    return convert(bytes)
  }
}

function javaNumber(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value)
}

function converted(bytes: Buffer, converter: string): string {
  const convert = Object.hasOwn(CONVERTERS, converter) ? CONVERTERS[converter] : undefined
  if (convert === undefined)
    refuse(
      `there is no converter ${converter}: this shell has ${Object.keys(CONVERTERS).join(', ')}, and no classes of Java`,
    )
  return convert(bytes)
}
