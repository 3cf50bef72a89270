import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import type { Action } from '../../../../src/doors/rpc/client/action.ts'
import { endOfIncrements } from '../../../../src/doors/rpc/client/increments-together.ts'
import type { MutationMessage } from '../../../../src/doors/rpc/messages/read-mutation.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf } from '../../../../src/model/cell-block.ts'
import { DEFAULT_MUTATION_OPTIONS } from '../../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP } from '../../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../../src/store/decorate.ts'
import type { Rows } from '../../../../src/store/rows.ts'
import { ClientService, type ResultOrException } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

const LATEST = { timestamp: LATEST_TIMESTAMP, type: CellType.Put }
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const KINDS = { append: 0, increment: 1 } as const

interface Counted {
  readonly kind: keyof typeof KINDS | 'get'
  readonly row: string
  readonly family: string
  readonly value: Buffer
  readonly hasNonce: boolean
  readonly isSilent: boolean
}

const one = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])

const anyAction: fc.Arbitrary<Counted> = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('increment' as const) },
    fc.constantFrom('append' as const, 'get' as const),
  ),
  row: fc.oneof(
    { weight: 6, arbitrary: fc.nat(255).map((row) => row.toString(16)) },
    fc.constantFrom('a', 'b'),
  ),
  family: fc.oneof({ weight: 15, arbitrary: fc.constant('f') }, fc.constant('none')),
  value: fc.oneof({ weight: 15, arbitrary: fc.constant(one) }, fc.constant(bytes('short'))),
  hasNonce: fc.boolean(),
  isSilent: fc.boolean(),
})

/** `prefix`: of the rows and nonces. */
function actionOf({ kind, row, family, value, hasNonce, isSilent }: Counted, prefix: number, index: number) {
  const name = bytes(`${prefix} ${row}`)
  if (kind === 'get') return { index, get: { row: name } }
  const attribute = isSilent ? [{ name: '_rr_', value: Buffer.from([0]) }] : []
  const columnValue = [{ family: bytes(family), qualifierValue: [{ qualifier: bytes('q'), value }] }]
  // One of a row: clients send a change with its nonce again.
  const nonce = hasNonce ? BigInt(prefix) * 256n + BigInt(Number.parseInt(row, 16)) : 0n
  return { index, mutation: { row: name, mutateType: KINDS[kind], columnValue, nonce, attribute } }
}

/** The outcome of an action: its cells without their times, or the class and the begin of its failure. */
function outcomeOf({ result, exception }: ResultOrException): string {
  if (exception !== undefined)
    return Buffer.from(exception.value ?? [])
      .toString()
      .slice(0, 100)
  return (result?.cell ?? []).map(({ value }) => Buffer.from(value).toString('hex')).join(' ')
}

/** A store that begins every second change later than the one that follows, as servers of a cluster may. */
function late(rows: Rows): Rows {
  let changes = 0
  return withMethods(rows, {
    async mutateRow(target, mutation, call) {
      if (changes++ % 2 === 0) for (let turn = 0; turn < 3; turn++) await setImmediate()
      return rows.mutateRow(target, mutation, call)
    },
  })
}

describe('increments of a Multi that are made together', () => {
  let server: RpcServer
  let region: { readonly type: 1; readonly value: Buffer }
  let runs = 0

  beforeAll(async () => {
    const store = await openNativeStore({
      directory: '/store',
      fileSystem: new CrashableFileSystem(),
      clock: { now: Date.now },
      random: Math.random,
    })
    server = await startRpcServer({ own: withFacets(store, { rows: late(store.rows) }) })
    const [only] = await server.store.catalog.regions(TABLE, OWN_CALL)
    region = { type: 1, value: only!.name }
  })
  afterAll(() => server.close())

  /** The actions in one list for the region, or each in a list of its own, which the server goes through one after the other. */
  async function multi(actions: readonly Counted[], prefix: number, isTogether: boolean): Promise<string[]> {
    const action = actions.map((each, index) => actionOf(each, prefix, index))
    const regionAction = isTogether
      ? [{ region, action }]
      : action.map((each) => ({ region, action: [each] }))
    const call = await oneCall(server.door.port, ClientService.method.multi, { regionAction }, { codec: '' })
    const outcomes: string[] = []
    for (const { resultOrException } of call.message.regionActionResult)
      for (const outcome of resultOrException) outcomes[outcome.index] = outcomeOf(outcome)
    return outcomes
  }

  test('have the outcomes of increments that are sent one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAction, { minLength: 1, maxLength: 100, size: 'max' }),
        async (actions) => {
          const [together, alone] = [++runs, ++runs]
          expect(await multi(actions, together, true)).toEqual(await multi(actions, alone, false))
          const gets = actions.map((action): Counted => ({ ...action, kind: 'get' }))
          expect(await multi(gets, together, true)).toEqual(await multi(gets, alone, true))
        },
      ),
      { numRuns: 25 },
    )
  })
})

const incrementOf = (
  row: string,
  nonce: bigint,
  about: Partial<MutationMessage> = {},
): Action & { kind: 'mutation' } => {
  const cells = blockOf([
    { row: bytes(row), family: bytes('f'), qualifier: bytes('q'), ...LATEST, value: one },
  ])
  const fields = { row: bytes(row), cells, options: DEFAULT_MUTATION_OPTIONS, timeRange: undefined, nonce }
  const mutation = { kind: 'increment', ...fields, returnResults: true, withTags: false, ...about } as const
  return { kind: 'mutation', index: 0, mutation }
}
const cellBytes = incrementOf('a', 0n).mutation.cells.byteLength
const end = (actions: readonly Action[], bytesLeft = 10_000): number => endOfIncrements(actions, 0, bytesLeft)

describe('increments that may be made together', () => {
  test('are of different rows', () => {
    expect(end([incrementOf('a', 0n), incrementOf('b', 0n), incrementOf('a', 0n)])).toBe(2)
  })

  test('have different nonces, or none', () => {
    expect(
      end([
        incrementOf('a', 1n),
        incrementOf('b', 2n),
        incrementOf('c', 0n),
        incrementOf('d', 0n),
        incrementOf('e', 1n),
      ]),
    ).toBe(4)
  })

  test('have answers that certainly fit', () => {
    const three = [incrementOf('a', 0n), incrementOf('b', 0n), incrementOf('c', 0n)]
    expect(end(three, 3 * cellBytes)).toBe(2)
    expect(end(three, 3 * cellBytes + 1)).toBe(3)
    expect(end(three, 1)).toBe(1)
    expect(end([incrementOf('a', 0n), incrementOf('b', 0n, { withTags: true })])).toBe(1)
  })

  test('are not other changes, of which one goes alone', () => {
    expect(end([incrementOf('a', 0n, { kind: 'append' }), incrementOf('b', 0n)])).toBe(1)
    expect(end([incrementOf('a', 0n), incrementOf('b', 0n, { kind: 'append' })])).toBe(1)
  })

  test('are so many as one turn of the event loop has time for', () => {
    expect(end(Array.from({ length: 100 }, (_, row) => incrementOf(`row ${row}`, 0n)))).toBe(64)
  })

  test('are fewer where each has many columns', () => {
    const cells = blockOf(
      Array.from({ length: 100 }, (_, column) => ({
        row: bytes('a'),
        family: bytes('f'),
        qualifier: bytes(`column ${column}`),
        ...LATEST,
        value: one,
      })),
    )
    const wide = Array.from({ length: 64 }, (_, row) => incrementOf(`row ${row}`, 0n, { cells }))
    expect(end(wide, 1_000_000)).toBe(1)
    expect(end([...wide.slice(0, 1), incrementOf('a', 0n)], 1_000_000)).toBe(2)
  })
})
