/** Gets and scans with very many columns are read in several turns of the event loop, with the same result as in one. */

import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { readInTurns } from '../../../src/doors/rpc/messages/read-in-turns.ts'
import { type GetMessage, readGet, readScan } from '../../../src/doors/rpc/messages/read-query.ts'
import { ElementCount } from '../../../src/model/decode-limits.ts'
import { detached } from '../../../src/model/detached.ts'
import { GetSchema, ScanSchema } from '../../../src/wire/rpc/gen/client_pb.ts'
import { MessageReader } from '../../../src/wire/rpc/message-reader.ts'
import { longestTurnOfBestTry } from '../../harness/longest-turn.ts'

const COLUMNS = 5000
const TURN_MS_MAX = 100
const bytes = (text: string): Buffer => Buffer.from(text)
const named = (count: number): Buffer[] => Array.from({ length: count }, (_, i) => bytes(`q${1_000_000 + i}`))
const limits = { depthMax: 10, batchMax: 10, elementsMax: 1_000_000 }

/** Reads the get at once and in turns. Returns the result of the second, and the number of times that it began anew. */
async function readTwice(
  message: MessageInitShape<typeof GetSchema>,
): Promise<{ read: GetMessage; readings: number }> {
  const encoded = Buffer.from(toBinary(GetSchema, create(GetSchema, message)))
  const reader = new MessageReader(encoded)
  let readings = 0
  const read = await readInTurns(reader, () => {
    readings++
    return readGet(reader)
  })
  expect(read).toEqual(readGet(new MessageReader(encoded)))
  return { read, readings }
}

const family = bytes('f')
const row = bytes('row')

test.each([
  ['in their order', named(COLUMNS)],
  ['in disorder', named(COLUMNS).toReversed()],
  ['each twice', [...named(COLUMNS), ...named(COLUMNS)]],
])('a get of columns %s', async (_, qualifier) => {
  const { read, readings } = await readTwice({ row, column: [{ family, qualifier }] })
  expect(read.get.columns).toEqual([{ family, qualifiers: named(COLUMNS) }])
  expect(readings).toBeGreaterThan(10)
})

test('a get whose columns, attributes and time ranges are a field each', async () => {
  const column = named(COLUMNS).map((qualifier) => ({ family, qualifier: [qualifier] }))
  const attribute = Array.from({ length: 3000 }, (_, i) => ({ name: `a${i}`, value: bytes('v') }))
  const cfTimeRange = named(1000).map((columnFamily) => ({ columnFamily, timeRange: { from: 1n, to: 2n } }))
  const { read, readings } = await readTwice({ row, column, attribute, cfTimeRange, existenceOnly: true })
  expect(read.get.columns[0]!.qualifiers).toHaveLength(COLUMNS)
  expect(read.get.attributes!.size).toBe(3000)
  expect(read.existenceOnly).toBe(true)
  expect(readings).toBeGreaterThan(10)
})

test('several long lists of one family, and a whole family', async () => {
  const [a, b] = [named(COLUMNS), named(2 * COLUMNS).slice(COLUMNS)]
  const column = [
    { family, qualifier: b },
    { family, qualifier: [bytes('first')] },
    { family: bytes('g') },
    { family, qualifier: a },
  ]
  const { read } = await readTwice({ row, column })
  expect(read.get.columns[0]!.qualifiers).toHaveLength(2 * COLUMNS + 1)
  expect(read.get.columns[1]!.qualifiers).toBeUndefined()
})

/** Counts the elements that the reader counts. */
class Counted extends ElementCount {
  count = 0

  constructor() {
    super(limits, () => undefined)
  }

  override add(): void {
    this.count++
    super.add()
  }
}

test.each([
  ['a list', { column: [{ family, qualifier: named(COLUMNS) }] }, COLUMNS + 1],
  ['a field each', { column: named(COLUMNS).map((each) => ({ family, qualifier: [each] })) }, 2 * COLUMNS],
])(
  'each of the columns in %s counts once, and what is around them once a reading',
  async (_, asked, elements) => {
    const encoded = Buffer.from(toBinary(GetSchema, create(GetSchema, { row, ...asked })))
    const readerOf = (counted: Counted): MessageReader =>
      new MessageReader(encoded, 0, encoded.length, counted)
    const [atOnce, inTurns] = [new Counted(), new Counted()]
    readGet(readerOf(atOnce))
    expect(atOnce.count).toBe(elements)
    const reader = readerOf(inTurns)
    let readings = 0
    await readInTurns(reader, () => {
      readings++
      return readGet(reader)
    })
    expect(inTurns.count).toBeGreaterThanOrEqual(elements)
    expect(inTurns.count).toBeLessThan(elements + readings)
  },
)

test('a scan has the columns in bytes of its own, which are not copied again', async () => {
  const encoded = Buffer.from(
    toBinary(ScanSchema, create(ScanSchema, { column: [{ family, qualifier: named(COLUMNS) }] })),
  )
  const reader = new MessageReader(encoded)
  const { scan } = await readInTurns(reader, () => readScan(reader))
  const { qualifiers } = detached(scan).columns[0]!
  expect(qualifiers).toBe(scan.columns[0]!.qualifiers)
  encoded.fill(0)
  expect(qualifiers).toEqual(named(COLUMNS))
})

test('a column of a million qualifiers lets others have their turn', async () => {
  const count = 1_000_000
  const qualifier = Buffer.from([0x12, 7, ...bytes('q000000')])
  const message = Buffer.alloc(3 + count * qualifier.length, qualifier)
  message.set([0x0a, 1, 0x66])
  for (let i = 0; i < count; i++) {
    message.set([0x12, 7], 3 + i * 9)
    message.writeUInt32BE(i, 3 + i * 9 + 5)
  }
  const head = Buffer.from([0x0a, 1, 0x72, 0x12, ...varint(message.length)])
  const encoded = Buffer.concat([head, message])
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
    const reader = new MessageReader(encoded)
    const { get } = await readInTurns(reader, () => readGet(reader))
    expect(get.columns[0]!.qualifiers).toHaveLength(count)
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
}, 60_000)

function varint(number: number): number[] {
  return number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...varint(number >>> 7)]
}
