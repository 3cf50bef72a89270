import { expect, test } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import type { Cluster } from '../../../../adapters/hbase/cluster/cluster.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { OutageLog } from '../../../../adapters/hbase/retry/outage-log.ts'
import { Retrier } from '../../../../adapters/hbase/retry/retrier.ts'
import type { CallOptions } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ManualTime } from '../retry/manual-time.ts'
import { FakeMaster } from './fake-master.ts'

const ANSWER_MS = 333

/** A master that takes its time, and says of each procedure that it runs. */
class SlowMaster extends FakeMaster {
  readonly #time: ManualTime
  constructor(time: ManualTime) {
    super()
    this.#time = time
  }

  override call(_: unknown, __: unknown, options?: CallOptions): Promise<never> {
    const timeoutMs = options?.timeoutMs ?? Number.POSITIVE_INFINITY
    return new Promise((resolve, reject) => {
      const late = new RpcError('CALL_TIMEOUT', `GetProcedureResult after ${timeoutMs} ms`, { sent: true })
      this.#time.after(Math.min(ANSWER_MS, timeoutMs), () => {
        if (timeoutMs < ANSWER_MS) reject(late)
        else resolve({ message: { state: 1 } } as never)
      })
    })
  }
}

test('a procedure that never ends is no outage of the cluster, which answers', async () => {
  const time = new ManualTime()
  const logged: string[] = []
  const outages = new OutageLog(time, (_, message) => logged.push(message))
  const retrier = new Retrier(time, () => 0, DEFAULT_HBASE_OPTIONS, outages)
  const connection = new SlowMaster(time)
  const onMaster: Cluster['onMaster'] = (operation, call, masterCall, _, deadline) =>
    retrier.retrying(operation, call, (attempt) => masterCall(connection, attempt), deadline)
  const master = new Master({ retrier, onMaster } as unknown as Cluster, () => 0)
  const ended = master.procedureEnd('creation of table t', 7n, OWN_CALL).catch((error: unknown) => error)
  await time.advance(620_000)
  expect(await ended).toMatchObject({
    code: 'TIMEOUT',
    message:
      "creation of table t: procedure 7 has not ended within 600000 ms: it goes on in the cluster, which answers; list_procedures and list_locks of HBase's shell, and the master's log, show what it waits for",
  })
  expect(logged).toEqual([])
})
