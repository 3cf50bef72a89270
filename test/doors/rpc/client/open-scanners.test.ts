import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { OpenScanners } from '../../../../src/doors/rpc/client/open-scanners.ts'
import { DEFAULT_LIMITS } from '../../../../src/gateway/limits/limits.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'

const region = {
  table: parseTableName('t'),
  encodedName: '0'.repeat(32),
  name: 't,,1.',
  replica: 0,
  copyOf: undefined,
}

test('a call without a number is refused while another one uses the scanner, which stays open', async () => {
  const scanners = new OpenScanners({ release: () => undefined }, DEFAULT_LIMITS, 1)
  let closed = 0
  const scanner = {
    next: () => Promise.reject(new Error('no client reads')),
    close: async () => {
      closed++
    },
  }
  const scan = {
    region,
    needsCursor: false,
    resultBytesMax: 0,
    hasBatch: false,
    sequence: 0n,
    isBusy: false,
    partialRow: undefined,
  }
  const id = scanners.open(scanner, scan, OWN_CALL, 0)
  const answer = new EventEmitter()
  const first = scanners.use(id, undefined, OWN_CALL, () => once(answer, 'ready'))
  await expect(scanners.use(id, undefined, OWN_CALL, async () => 'second')).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.regionserver.LeaseException',
    message: `lease '${id}' does not exist`,
  })
  expect(closed).toBe(0)
  answer.emit('ready', 'first')
  expect(await first).toEqual(['first'])
  expect(await scanners.use(id, undefined, OWN_CALL, async () => 'third')).toBe('third')
  await scanners.closeAll()
  expect(closed).toBe(1)
})
