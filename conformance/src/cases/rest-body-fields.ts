/** Protobuf field by field, well and badly formed. */

/** A field of a message: its name in labels, its number, and its whole encoding. */
export type Field = readonly [name: string, number: number, encoded: Buffer]

/** Encodes a field of the number; `own` is the field as it should be. */
type Variant = (number: number, own: Buffer) => Buffer
export type Variants = Readonly<Record<string, Variant>>

const LONG_MASK = 0xffff_ffff_ffff_ffffn

/** The bytes of a base-128 number; a negative one takes ten. */
export function varint(value: bigint | number): Buffer {
  const bytes: number[] = []
  let rest = BigInt(value) & LONG_MASK
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.of(...bytes, Number(rest))
}

function tag(number: number, wireType: number): Buffer {
  return varint(number * 8 + wireType)
}

export function numberField(number: number, value: bigint | number): Buffer {
  return Buffer.concat([tag(number, 0), varint(value)])
}

export function bytesField(number: number, content: Buffer | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Buffer.concat([tag(number, 2), varint(bytes.length), bytes])
}

function group(number: number, content: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([tag(number, 3), content, tag(number, 4)])
}

/** Groups of unknown fields within each other. */
export function groups(number: number, depth: number): Buffer {
  return depth === 0 ? Buffer.alloc(0) : group(number, groups(number, depth - 1))
}

/** Of another wire type, or not there, or there twice. */
export const OTHER_TYPES: Variants = {
  missing: () => Buffer.alloc(0),
  twice: (_, own) => Buffer.concat([own, own]),
  'as a varint': (number) => numberField(number, 5),
  'as 64 bits': (number) => Buffer.concat([tag(number, 1), Buffer.alloc(8, 1)]),
  'as bytes': (number) => bytesField(number, 'zz'),
  'as no bytes': (number) => bytesField(number, ''),
  'as a group': (number) => group(number, numberField(9, 1)),
  'as 32 bits': (number) => Buffer.concat([tag(number, 5), Buffer.alloc(4, 1)]),
}

/** Encodings that are wrong for every field. */
export const BROKEN: Variants = {
  'as the end of a group': (number) => tag(number, 4),
  'as an open group': (number) => tag(number, 3),
  'of wire type 6': (number) => Buffer.concat([tag(number, 6), Buffer.alloc(4)]),
  'of wire type 7': (number) => Buffer.concat([tag(number, 7), Buffer.alloc(4)]),
  'cut in its bytes': (number) => Buffer.concat([tag(number, 2), varint(9), Buffer.from('ab')]),
  'of a negative length': (number) => Buffer.concat([tag(number, 2), varint(-1)]),
  'of a length over 2 GB': (number) => Buffer.concat([tag(number, 2), varint(0x8000_0000)]),
  'as a cut varint': (number) => Buffer.concat([tag(number, 0), Buffer.of(0x80)]),
}

export const NUMBERS: Variants = {
  zero: (number) => numberField(number, 0),
  'minus 1': (number) => numberField(number, -1),
  'minus 1 of 32 bits': (number) => numberField(number, 0xffff_ffff),
  'max int': (number) => numberField(number, 0x7fff_ffff),
  'max int plus 1': (number) => numberField(number, 0x8000_0000),
  'two to the 32': (number) => numberField(number, 0x1_0000_0000),
  max: (number) => numberField(number, 0x7fff_ffff_ffff_ffffn),
  min: (number) => numberField(number, 0x8000_0000_0000_0000n),
  'of eleven bytes': (number) =>
    Buffer.concat([tag(number, 0), Buffer.of(0x85), Buffer.alloc(9, 0x80), Buffer.of(0)]),
}

export const TEXTS: Variants = {
  'not UTF-8': (number) => bytesField(number, Buffer.of(0x61, 0xff)),
}

/** A message for every field and variant, the other fields as they should be. */
export function varied(
  fields: readonly Field[],
  variants: Variants,
  names: readonly string[] = fields.map(([name]) => name),
): (readonly [label: string, message: Buffer])[] {
  return names.flatMap((name) =>
    Object.entries(variants).map(([label, variant]) => {
      const parts = fields.map(([each, number, own]) => (each === name ? variant(number, own) : own))
      return [`${name} ${label}`, Buffer.concat(parts)] as const
    }),
  )
}

export function messageOf(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.map(([, , encoded]) => encoded))
}
