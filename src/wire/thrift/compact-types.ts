import { ThriftProtocolError, WireType } from './protocol.ts'

// PERSISTED: never renumber.
export const COMPACT_PROTOCOL_ID = 0x82
export const COMPACT_VERSION = 1

/** Types as the compact protocol numbers them. PERSISTED: never renumber. */
export const CompactType = {
  BOOL_TRUE: 1,
  BOOL_FALSE: 2,
  I8: 3,
  I16: 4,
  I32: 5,
  I64: 6,
  DOUBLE: 7,
  BINARY: 8,
  LIST: 9,
  SET: 10,
  MAP: 11,
  STRUCT: 12,
} as const

/** The bool of containers and of the compact field head without its value is BOOL_TRUE. */
const PAIRS: readonly (readonly [wire: number, compact: number])[] = [
  [WireType.STOP, 0],
  [WireType.BOOL, CompactType.BOOL_TRUE],
  [WireType.I8, CompactType.I8],
  [WireType.I16, CompactType.I16],
  [WireType.I32, CompactType.I32],
  [WireType.I64, CompactType.I64],
  [WireType.DOUBLE, CompactType.DOUBLE],
  [WireType.STRING, CompactType.BINARY],
  [WireType.LIST, CompactType.LIST],
  [WireType.SET, CompactType.SET],
  [WireType.MAP, CompactType.MAP],
  [WireType.STRUCT, CompactType.STRUCT],
]

const COMPACT_OF_WIRE = new Int8Array(16)
const WIRE_OF_COMPACT = new Int8Array(16).fill(-1)
for (const [wire, compact] of PAIRS) {
  COMPACT_OF_WIRE[wire] = compact
  WIRE_OF_COMPACT[compact] = wire
}
WIRE_OF_COMPACT[CompactType.BOOL_FALSE] = WireType.BOOL

export function compactTypeOf(wire: number): number {
  return COMPACT_OF_WIRE[wire]!
}

export function wireTypeOf(compact: number): number {
  const wire = WIRE_OF_COMPACT[compact]!
  if (wire < 0) throw new ThriftProtocolError('INVALID_DATA', `Unrecognized type ${compact}`)
  return wire
}
