import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { Procedures } from '../../../../src/doors/rpc/master/procedures.ts'
import { PRINTED_CHARACTERS_MAX } from '../../../../src/model/bounded-text.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { GetProcedureResultResponse_State } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { ProcedureState } from '../../../../src/wire/rpc/gen/procedure_pb.ts'

const NO_NONCE = { nonceGroup: 0n, nonce: 0n }
const { RUNNING, FINISHED } = GetProcedureResultResponse_State

test('a long change is answered while it runs, and its id finds its end', async () => {
  const procedures = new Procedures(1)
  const ending = new EventEmitter()
  const change = once(ending, 'never').then(() => undefined)
  const { procId } = await procedures.run(NO_NONCE, OWN_CALL, () => change)
  expect(procedures.result(procId).state).toBe(RUNNING)
  ending.emit('error', new HBaseError('TABLE_EXISTS', 't'))
  await change.catch(() => undefined)
  await new Promise(setImmediate)
  expect(procedures.result(procId)).toMatchObject({
    state: FINISHED,
    exception: {
      genericException: { className: 'org.apache.hadoop.hbase.TableExistsException', message: 't' },
    },
  })
})

test('a change goes on when its client hangs up', async () => {
  const hungUp = AbortSignal.abort()
  const call = { ...OWN_CALL, signal: hungUp, deadline: 1 }
  const calls: unknown[] = []
  await new Procedures().run(NO_NONCE, call, async (own) => void calls.push(own.signal, own.deadline))
  expect(calls).toEqual([undefined, Number.POSITIVE_INFINITY])
})

test('the oldest ended changes are forgotten', async () => {
  const procedures = new Procedures()
  const ids: bigint[] = []
  for (let i = 0; i < 1100; i++) {
    ids.push((await procedures.run(NO_NONCE, OWN_CALL, async () => undefined)).procId)
  }
  expect(procedures.result(ids[0]!).state).toBe(0)
  expect(procedures.result(ids[200]!).state).toBe(FINISHED)
})

test('a failure that is remembered holds no more than a few KB, for names of any length', async () => {
  const procedures = new Procedures()
  const thrown = new HBaseError('TABLE_NOT_FOUND', 'n'.repeat(1 << 20), { cause: new Error('the cause') })
  const nonce = { nonceGroup: 1n, nonce: 2n }
  const refused = procedures.run(nonce, OWN_CALL, () => Promise.reject(thrown))
  // The cause is logged for the first request.
  await expect(refused).rejects.toBe(thrown)
  const again = await procedures.run(nonce, OWN_CALL, async () => undefined).catch((error: unknown) => error)
  expect(again).toMatchObject({ code: 'TABLE_NOT_FOUND' })
  expect((again as HBaseError).cause).toBeUndefined()
  expect((again as HBaseError).message.length).toBeLessThanOrEqual(PRINTED_CHARACTERS_MAX)
  // HBase's master rolls the failed change back.
  expect(procedures.list()).toMatchObject([{ state: ProcedureState.ROLLEDBACK }])
  const { exception } = procedures.result(1n)
  expect(exception?.genericException?.message?.length).toBeLessThanOrEqual(PRINTED_CHARACTERS_MAX)
})

test.each([
  ['Snapshot', 'procedure.SnapshotProcedure'],
  ['AddReplicationPeer', 'replication.AddPeerProcedure'],
  ['EnableReplicationPeer', 'replication.EnablePeerProcedure'],
  ['AssignRegion', 'assignment.TransitRegionStateProcedure'],
])("a change asked for by %s is listed by HBase's class", async (kind, name) => {
  const procedures = new Procedures()
  const request = { ...NO_NONCE, $typeName: `hbase.pb.${kind}Request`, snapshot: { name: 's', table: 't' } }
  await procedures.run(request, OWN_CALL, async () => undefined)
  expect(procedures.list()).toMatchObject([{ className: `org.apache.hadoop.hbase.master.${name}` }])
})

test('a cluster that does not know the file tracker of a clone: its error comes with the result, as in the cluster', async () => {
  const procedures = new Procedures()
  const search = 'java.lang.RuntimeException: java.lang.RuntimeException: java.lang.ClassNotFoundException: '
  const failure = new HBaseError('IO', `${search}Class X not found`)
  const { procId } = await procedures.run(NO_NONCE, OWN_CALL, () => Promise.reject(failure))
  expect(procedures.result(procId)).toMatchObject({
    state: FINISHED,
    exception: { genericException: { className: 'java.io.IOException', message: failure.message } },
  })
})
