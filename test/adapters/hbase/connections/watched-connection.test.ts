import { expect, test } from 'vitest'
import { CallCounts } from '../../../../adapters/hbase/connections/call-counts.ts'
import {
  WatchedConnection,
  type Watchers,
} from '../../../../adapters/hbase/connections/watched-connection.ts'
import type { CallOptions, RpcConnection } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { CellBlock } from '../../../../src/model/cell-block.ts'
import type { OpenSpan, SpanRecorder } from '../../../../src/store/span-recorder.ts'
import { ECHO } from '../rpc/echo-connection.ts'

const SERVER = { host: 'a', port: 1, service: 'EchoService' }

/** A connection that answers one cell, or fails, and the options that it was given. */
function inner(failure?: Error): { connection: RpcConnection; given: (CallOptions | undefined)[] } {
  const given: (CallOptions | undefined)[] = []
  const call = (_: unknown, __: unknown, options?: CallOptions): Promise<unknown> => {
    given.push(options)
    const answer = { message: 'm', cells: CellBlock.EMPTY, cellCount: 1, release: () => undefined }
    return failure === undefined ? Promise.resolve(answer) : Promise.reject(failure)
  }
  return { connection: { call } as unknown as RpcConnection, given }
}

/** Records the traces that are called `traced`. */
class Spans implements SpanRecorder {
  readonly ended: (readonly [name: string, attributes: object, error: unknown])[] = []

  begin(name: string, trace: string | undefined): OpenSpan | undefined {
    if (trace !== 'traced') return undefined
    const attributes: Record<string, unknown> = {}
    return {
      trace: 'within',
      set: (key, value) => {
        attributes[key] = value
      },
      end: (error) => void this.ended.push([name, attributes, error]),
    }
  }
}

const ATTRIBUTES = {
  'rpc.system': 'HBASE_RPC',
  'rpc.service': 'hbase.pb.EchoService',
  'rpc.method': 'Echo',
  'server.address': 'a',
  'server.port': 1,
}

async function called(
  watchers: Watchers,
  options?: CallOptions,
  failure?: Error,
): Promise<CallOptions | undefined> {
  const { connection, given } = inner(failure)
  const watched = new WatchedConnection(connection, SERVER, watchers)
  const answer = await watched.call(ECHO, 'm', options).catch((error: unknown) => error)
  if (failure === undefined) expect(answer).toMatchObject({ message: 'm' })
  else expect(answer).toBe(failure)
  return given[0]
}

test.each([undefined, new Error('lost')])(
  'calls are counted and timed, whether they succeed or fail (%s)',
  async (failure) => {
    const calls = new CallCounts()
    await called({ calls }, undefined, failure)
    await called({ calls }, { trace: 'traced' }, failure)
    expect(calls.sent.get('Echo')).toMatchObject({ calls: 2 })
    expect(calls.sent.get('Echo')!.latencies.count).toBe(2)
  },
)

test('a traced call is a span, which the server continues; its failure is recorded', async () => {
  const spans = new Spans()
  const failure = new Error('lost')
  expect(await called({ spans, calls: new CallCounts() }, { trace: 'traced', priority: 7 })).toEqual({
    trace: 'within',
    priority: 7,
  })
  await called({ spans }, { trace: 'traced' }, failure)
  const name = 'hbase.pb.EchoService/Echo'
  expect(spans.ended).toEqual([
    [name, { ...ATTRIBUTES, 'tidegate.cells': 1 }, undefined],
    [name, ATTRIBUTES, failure],
  ])
})

test('a call of a trace that is not recorded goes on as it is', async () => {
  const spans = new Spans()
  const options = { trace: 'another' }
  expect(await called({ spans }, options)).toBe(options)
  expect(await called({ spans })).toBeUndefined()
  expect(spans.ended).toEqual([])
})
