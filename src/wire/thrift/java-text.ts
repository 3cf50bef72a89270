import type { StructSchema, ThriftType } from './schema.ts'

/** Java's TBaseHelper shows so many bytes of a binary. */
const BINARY_BYTES_SHOWN = 128

/** Prints a struct as its generated Java class does: HBase's server quotes it when a call lacks a field. */
export function javaText(schema: StructSchema, value: Readonly<Record<string, unknown>>): string {
  const shown = schema.fields.filter(
    (field) => field.requiredness !== 'optional' || value[field.name] !== undefined,
  )
  return `${schema.name}(${shown.map((field) => `${field.name}:${text(field.type, value[field.name])}`).join(', ')})`
}

function text(type: ThriftType, value: unknown): string {
  if (value === undefined) return 'null'
  if (type.kind === 'struct') return javaText(type.struct, value as Readonly<Record<string, unknown>>)
  if (type.kind === 'binary') return hex(value as Buffer)
  if (type.kind === 'list' || type.kind === 'set') {
    return Array.isArray(value) ? `[${value.map((each) => text(type.element, each)).join(', ')}]` : '[...]'
  }
  if (type.kind === 'map') {
    const pairs = [...(value as Iterable<[unknown, unknown]>)]
    return `{${pairs.map((pair) => `${text(type.key, pair[0])}=${text(type.value, pair[1])}`).join(', ')}}`
  }
  if (type.kind === 'enum')
    return [...type.enum.members].find(([, number]) => number === value)?.[0] ?? 'null'
  return `${value as string | number | bigint | boolean}`
}

function hex(bytes: Buffer): string {
  const shown = bytes.subarray(0, BINARY_BYTES_SHOWN).toString('hex').toUpperCase()
  return (shown.match(/../g) ?? []).join(' ') + (bytes.length > BINARY_BYTES_SHOWN ? '...' : '')
}
