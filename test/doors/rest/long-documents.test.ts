/** Answers with as many parts as there are regions are made in several turns of the event loop. */

import { expect, test } from 'vitest'
import { longDocumentAnswer } from '../../../src/doors/rest/http/document-answer.ts'
import { withReplicas } from '../../../src/gateway/catalog/replicas.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { atOnce } from '../../../src/model/steps.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { clusterStatusDocument } from '../../../src/wire/rest/cluster-status.ts'
import { tableInfoDocument } from '../../../src/wire/rest/table-info.ts'
import { longestTurnOfBestTry } from '../../harness/longest-turn.ts'

const TURN_MS_MAX = 100
const REGIONS = 30_000
const NAMES = Array.from({ length: REGIONS }, (_, i) =>
  Buffer.from(`t,k${i},1700000000000.0123456789abcdef0123456789abcdef.`),
)

const status = clusterStatusDocument([
  {
    name: 'h:1',
    startCode: 1,
    heapSizeMB: 1,
    maxHeapSizeMB: 2,
    regions: NAMES.map((name) => ({ name, stores: 1, storefiles: 2, readRequestsCount: 3 })),
  },
])
const table = tableInfoDocument(
  't',
  NAMES.map((name, i) => ({ name: name.toString(), id: i, startKey: name, endKey: name, location: 'h:1' })),
)

test.each(['text/plain', 'text/xml', 'application/json', 'application/x-protobuf'])('%s', async (accept) => {
  const longest = await longestTurnOfBestTry(TURN_MS_MAX, async () => {
    for (const document of [status, table]) {
      const { body } = await longDocumentAnswer(accept, document)
      expect((body as Buffer).length).toBeGreaterThan(REGIONS * 50)
    }
  })
  expect(longest).toBeLessThan(TURN_MS_MAX)
})

test('copies of regions are made a few at a time', () => {
  const name = parseTableName('t')
  const descriptor = tableDescriptor(name, [familyDescriptor('f')], [['REGION_REPLICATION', '2']])
  const [region] = NAMES
  const first = {
    table: name,
    startKey: region!,
    endKey: region!,
    regionId: 1,
    name: region!,
    encodedName: 'e',
    server: { host: 'h', port: 1, startCode: 1 },
  }
  const steps = withReplicas(
    Array.from({ length: 1000 }, () => first),
    descriptor,
  )
  let count = 0
  while (steps.next().done !== true) count++
  expect(count).toBeGreaterThan(5)
  expect(atOnce(withReplicas([first], descriptor)).map(({ replica }) => replica)).toEqual([0, 1])
})
