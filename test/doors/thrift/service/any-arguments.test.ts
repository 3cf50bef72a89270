/** Both services answer calls with any arguments, and blame the client for faults of the client. */

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ThriftRequest, thrift1, thrift2 } from '../../../../conformance/src/runner/case.ts'
import { type ThriftAnswer, ThriftClient } from '../../../../conformance/src/runner/thrift-client.ts'
import type { MethodSchema } from '../../../../src/wire/thrift/schema.ts'
import type { ThriftObject } from '../../../../src/wire/thrift/value-codec.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { anyStruct, methodsOf } from './any-call.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const SEED = 20_261_122
const INTERNAL_ERROR = 6
const PROTOCOL_ERROR = 7

let server: ThriftServer
const clients: Partial<Record<ThriftRequest['door'], ThriftClient>> = {}

beforeAll(async () => {
  server = await startThriftServer()
  const address = { host: '127.0.0.1', port: server.port }
  clients.thrift1 = new ThriftClient(address, 20_000)
  clients.thrift2 = new ThriftClient(address, 20_000)
})
afterAll(async () => {
  clients.thrift1?.close()
  clients.thrift2?.close()
  await server.close()
})

async function call(door: ThriftRequest['door'], method: string, args: ThriftObject): Promise<ThriftAnswer> {
  return clients[door]!.call({ door, method, args: {} }, args)
}

/** Describes the fault of an answer; undefined where it has none. */
function fault(answer: ThriftAnswer): string | undefined {
  if (answer.kind === 'result') return undefined
  const text = answer.kind === 'exception' ? String(answer.fields['message']) : answer.message
  if (/TimeoutIOException|TypeError|RangeError|is not a function|undefined/.test(text)) return text
  if (answer.kind === 'exception') return undefined
  // The door gives a reason where a client is at fault, and none where the server is.
  const hasReason = answer.type !== INTERNAL_ERROR || /^Internal error processing \w+: [\w.]+: ./.test(text)
  return hasReason && (answer.type === INTERNAL_ERROR || answer.type === PROTOCOL_ERROR) ? undefined : text
}

const CASES = (['thrift1', 'thrift2'] as const).flatMap((door) =>
  methodsOf(door).map((method): [ThriftRequest['door'], string, MethodSchema] => [door, method.name, method]),
)

describe('any arguments', () => {
  test.each(CASES)('%s %s', async (door, name, method) => {
    await tables()
    await fc.assert(
      fc.asyncProperty(anyStruct(method.args), async (args) => {
        expect(fault(await call(door, name, args))).toBeUndefined()
        // The connection has read exactly this call: the next one is answered, by the same service.
        const next = await call(door, 'getClusterId', {})
        expect(next.kind).toBe('result')
      }),
      { seed: SEED, numRuns: testRuns(20) },
    )
  })
})

/** Makes the tables that calls find, which an earlier call may have dropped: t with its families, and u, which is disabled. */
async function tables(): Promise<void> {
  for (const name of ['t', 'u']) {
    const families = ['f', 'g'].map((family) => ({ name: Buffer.from(family), maxVersions: 3 }))
    await call('thrift1', 'createTable', { tableName: Buffer.from(name), columnFamilies: families })
  }
  await call('thrift1', 'enableTable', { tableName: Buffer.from('t') })
  await call('thrift1', 'disableTable', { tableName: Buffer.from('u') })
}

describe('an answer of success means that the change was made', () => {
  const table = Buffer.from('t')
  let row = 0
  const newRow = (): Buffer => Buffer.from(`row ${++row}`)
  const cells = async (key: Buffer): Promise<string[]> => {
    const answer = await clients.thrift2!.call(thrift2('get', {}), {
      table,
      tget: { row: key, maxVersions: 3 },
    })
    const found = answer as {
      value: { columnValues: { family: Buffer; qualifier: Buffer; value: Buffer }[] }
    }
    return found.value.columnValues.map(({ family, qualifier, value }) =>
      [family, ':', qualifier, '=', value].join(''),
    )
  }
  const old = async (key: Buffer): Promise<void> => {
    const columnValues = ['a', 'b'].map((name) => ({
      family: Buffer.from('f'),
      qualifier: Buffer.from(name),
      value: Buffer.from('old'),
    }))
    await clients.thrift2!.call(thrift2('put', {}), {
      table,
      tput: { row: key, columnValues, timestamp: 1n },
    })
  }
  const mutations = methodsOf('thrift1').find(({ name }) => name === 'mutateRow')!.args.fields[2]!.type
  const mutation =
    mutations.kind === 'list' && mutations.element.kind === 'struct' ? mutations.element.struct : undefined
  const deletes = methodsOf('thrift2').find(({ name }) => name === 'deleteSingle')!.args.fields[1]!.type
  const tdelete = deletes.kind === 'struct' ? deletes.struct : undefined

  test('a mutation of Thrift 1 is in the row, or refused', async () => {
    await tables()
    await fc.assert(
      fc.asyncProperty(anyStruct(mutation!), async (one) => {
        const key = newRow()
        await old(key)
        const before = await cells(key)
        const args = { tableName: table, row: key, mutations: [one] }
        const answer = await clients.thrift1!.call(thrift1('mutateRow', {}), args)
        const after = await cells(key)
        if (answer.kind !== 'result') expect(after).toEqual(before)
        const column = one['column']
        if (answer.kind !== 'result' || !Buffer.isBuffer(column)) {
          expect(answer.kind).not.toBe('result')
        } else if (one['isDelete'] === true) {
          expect(after.filter((cell) => cell.startsWith(`${column.toString()}=`))).toEqual([])
        } else if (column.includes(':')) {
          const value = Buffer.isBuffer(one['value']) ? one['value'].toString() : ''
          expect(after).toContain(`${column.toString()}=${value}`)
        }
      }),
      { seed: SEED, numRuns: testRuns(200) },
    )
  })

  test('a delete of Thrift 2 of a type that is not known deletes nothing', async () => {
    await tables()
    await fc.assert(
      fc.asyncProperty(anyStruct(tdelete!), async (drawn) => {
        const key = newRow()
        await old(key)
        const before = await cells(key)
        const one = { ...drawn, row: key }
        const answer = await clients.thrift2!.call(thrift2('deleteSingle', {}), { table, tdelete: one })
        const after = await cells(key)
        if (answer.kind !== 'result') expect(after).toEqual(before)
        const { deleteType, columns } = drawn as { deleteType: unknown; columns: unknown }
        const isUnknown = typeof deleteType === 'number' && (deleteType < 0 || deleteType > 3)
        if (isUnknown && Array.isArray(columns) && columns.length > 0) expect(answer.kind).not.toBe('result')
      }),
      { seed: SEED, numRuns: testRuns(200) },
    )
  })
})
