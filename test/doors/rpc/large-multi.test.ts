/** Calls of many actions: the sizes of their answers, and the turns of other calls meanwhile. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ClientService, type ResultOrException } from '../../../src/wire/rpc/gen/client_pb.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const [APPEND, INCREMENT, PUT] = [0, 1, 2] as const
const TOO_LARGE = 'org.apache.hadoop.hbase.MultiActionResultTooLarge'
/** Of another region than the first one, and as long as a row may be. */
const STRANGE_ROW = Buffer.alloc(0x7fff, 'z')

let server: RpcServer

beforeEach(async () => {
  server = await startRpcServer({ limits: { responseBytesMax: 50_000 } })
})

afterEach(() => server.close())

const mutation = (mutateType: 0 | 1 | 2, row: Buffer, value: Buffer, family = 'f') => ({
  mutation: {
    row,
    mutateType,
    columnValue: [{ family: bytes(family), qualifierValue: [{ qualifier: bytes('q'), value }] }],
  },
})

async function multi(action: readonly object[], options: { atomic?: boolean; times?: number } = {}) {
  const [first] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const region = { type: 1, value: first!.name } as const
  const { atomic = false, times = 1 } = options
  const regionAction = Array.from({ length: times }, () => ({ region, atomic, action: [...action] }))
  const { message } = await oneCall(server.door.port, ClientService.method.multi, { regionAction })
  return message.regionActionResult
}

const classOf = ({ exception }: Pick<ResultOrException, 'exception'>): string | undefined => exception?.name
const reason = ({ exception }: ResultOrException): string => Buffer.from(exception?.value ?? []).toString()

test('appends that answer large values end with a full answer, and are not made from there on', async () => {
  await multi([mutation(PUT, bytes('a'), Buffer.alloc(20_000))])
  const appends = Array.from({ length: 10 }, () => mutation(APPEND, bytes('a'), bytes('x')))
  const [result] = await multi(appends)
  const classes = result!.resultOrException.map(classOf)
  expect(classes).toEqual([undefined, undefined, undefined, ...Array.from({ length: 7 }, () => TOO_LARGE)])
  const atomic = await multi(appends.slice(0, 1), { atomic: true, times: 10 })
  expect(atomic.map(classOf)).toEqual(classes)
})

test('rows of other regions fail by a short reason, however long they are', async () => {
  const kinds = fc.constantFrom(
    { get: { row: STRANGE_ROW } },
    mutation(PUT, STRANGE_ROW, bytes('v')),
    mutation(APPEND, STRANGE_ROW, bytes('v')),
    mutation(INCREMENT, STRANGE_ROW, Buffer.alloc(8)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(kinds, { minLength: 1, maxLength: 20 }), async (actions) => {
      const [result] = await multi([...actions, mutation(PUT, bytes('a'), bytes('v'))])
      const failures = result!.resultOrException.slice(0, -1)
      expect(result!.resultOrException).toHaveLength(actions.length + 1)
      for (const failure of failures) {
        expect(classOf(failure)).toBe('org.apache.hadoop.hbase.regionserver.WrongRegionException')
        expect(reason(failure).length).toBeLessThan(1000)
      }
    }),
    { numRuns: testRuns(10) },
  )
})

test('failures that describe a large table have a bounded answer, each with its class', async () => {
  const attributes = [['WORDS', 'w'.repeat(100_000)]] as const
  const altered = tableDescriptor(TABLE, [familyDescriptor('f')], attributes)
  await server.store.catalog.modifyTable(altered, OWN_CALL)
  const actions = Array.from({ length: 500 }, (_, i) =>
    i % 2 === 0
      ? mutation(PUT, bytes('a'), bytes('v'), 'nope')
      : { get: { row: bytes('a'), column: [{ family: bytes('nope') }] } },
  )
  const [result] = await multi(actions)
  const answers = result!.resultOrException
  expect(new Set(answers.map(classOf))).toEqual(
    new Set(['org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException']),
  )
  expect(reason(answers[0]!)).toContain('nope does not exist')
  const characters = answers.reduce((sum, answer) => sum + reason(answer).length, 0)
  expect(characters).toBeLessThan(2_000_000)
})

/** Gets of column families that are not there. */
const getsOf = (families: readonly string[]) =>
  families.map((family) => ({ get: { row: bytes('a'), column: [{ family: bytes(family) }] } }))

test('gets that fail one by one let others have their turn', async () => {
  let turns = 0
  const asked = server.store.rows.get.bind(server.store.rows)
  const spread = new Set<number>()
  server.store.rows.get = (...of) => {
    spread.add(turns)
    const until = performance.now() + 2
    while (performance.now() < until);
    return asked(...of)
  }
  const turn = (): void => {
    turns++
    immediate = setImmediate(turn)
  }
  let immediate = setImmediate(turn)
  await multi(getsOf(Array.from({ length: 50 }, (_, i) => `nope${i}`)))
  clearImmediate(immediate)
  expect(spread.size).toBeGreaterThan(3)
})

test('cells whose row is stated once are refused where they take too much together', async () => {
  const row = Buffer.alloc(0x7fff, 'a')
  const qualifierValue = Array.from({ length: 5000 }, () => ({ value: Buffer.alloc(0) }))
  const put = { mutation: { row, mutateType: PUT, columnValue: [{ family: bytes('f'), qualifierValue }] } }
  await expect(multi([put, put])).rejects.toThrow('shorter rows')
})
