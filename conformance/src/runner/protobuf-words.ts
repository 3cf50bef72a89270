/** Filters in protobuf as words for a case's id: classes by their last name, fields by number where they are out of order. */

import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** By number, the operators that stand before a comparator. */
const OPERATORS = ['lt', 'le', 'eq', 'ne', 'ge', 'gt', 'no-op']

const CLASS = /^org\.apache\.hadoop\.hbase\.filter\.(\w+?)(?:Filter|Comparator)?$/

type Value = string | readonly FieldValue[]
interface FieldValue {
  readonly number: number
  readonly value: Value
}

/** Bytes that are no message as Latin-1 text. */
export function protobufWords(bytes: Buffer): string {
  const fields = bytes.length === 0 ? undefined : fieldsOf(bytes)
  return fields === undefined ? bytes.toString('latin1') : fieldWords(fields)
}

function fieldsOf(bytes: Buffer): FieldValue[] | undefined {
  const fields: FieldValue[] = []
  try {
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag()
      const value = readFieldValue(reader, number, type)
      if (number === 0 || value === undefined) return undefined
      fields.push({ number, value })
    }
  } catch {
    return undefined
  }
  return fields
}

function readFieldValue(reader: BinaryReader, number: number, type: WireType): Value | undefined {
  switch (type) {
    case WireType.Varint:
      return String(reader.int64())
    case WireType.LengthDelimited:
      return textOrFields(Buffer.from(reader.bytes()))
    case WireType.Bit32:
    case WireType.Bit64:
      return `0x${Buffer.from(reader.skip(type, number)).toString('hex')}`
    case WireType.StartGroup:
    case WireType.EndGroup:
      return undefined
  }
}

function textOrFields(bytes: Buffer): Value {
  if (bytes.length === 0) return 'empty'
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  return (isText ? undefined : fieldsOf(bytes)) ?? bytes.toString('latin1')
}

function fieldWords(fields: readonly FieldValue[]): string {
  const isFilter = typeof fields[0]?.value === 'string' && CLASS.test(fields[0].value)
  return fields
    .filter(({ number, value }) => !(isFilter && number === 2 && value === 'empty'))
    .map(({ number, value }, index) => {
      const before = fields[index - 1]?.number ?? 0
      const label = number === before || number === before + 1 ? '' : `field ${number} `
      return label + valueWords(value, fields[index + 1]?.value)
    })
    .join(' ')
}

function valueWords(value: Value, next: Value | undefined): string {
  if (typeof value !== 'string') return fieldWords(value)
  const operator = isComparator(next) ? OPERATORS[Number(value)] : undefined
  return operator ?? value.replace(CLASS, '$1')
}

function isComparator(value: Value | undefined): boolean {
  const name = typeof value === 'object' ? value[0]?.value : undefined
  return typeof name === 'string' && name.endsWith('Comparator')
}
