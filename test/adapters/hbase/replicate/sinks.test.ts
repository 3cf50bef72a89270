import { expect, test } from 'vitest'
import { readClusterKey } from '../../../../adapters/hbase/replicate/cluster-key.ts'
import { Sinks, sinkAddresses } from '../../../../adapters/hbase/replicate/sinks.ts'

const SERVERS = [1, 2, 3, 4].map((port) => ({ host: 'rs', port }))

test('half of the region servers get requests, and one that fails three times no more of them', async () => {
  const random = [0.9, 0, 0, 0.9]
  let asked = 0
  const sinks = new Sinks({
    servers: async () => {
      asked++
      return SERVERS
    },
    ratio: 0.5,
    random: () => random.shift() ?? 0.99,
  })
  expect(await sinks.next()).toEqual(SERVERS[3])
  expect(await sinks.next()).toEqual(SERVERS[0])
  expect(await sinks.next()).toEqual(SERVERS[0])
  sinks.failed(SERVERS[0]!)
  sinks.failed(SERVERS[0]!)
  sinks.answered(SERVERS[0]!)
  sinks.failed(SERVERS[0]!)
  sinks.failed(SERVERS[0]!)
  expect(await sinks.next()).toEqual(SERVERS[0])
  sinks.failed(SERVERS[0]!)
  expect(await sinks.next()).toEqual(SERVERS[3])
  expect(asked).toBe(1)
  for (let fault = 0; fault < 3; fault++) sinks.failed(SERVERS[3]!)
  await sinks.next()
  expect(asked).toBe(2)
})

test('a cluster without region servers has none to ask', async () => {
  const sinks = new Sinks({ servers: async () => [], ratio: 0.5, random: () => 0 })
  expect(await sinks.next()).toBeUndefined()
})

test.each([
  ['zk:2181:/hbase', [['zk', 2181]], '/hbase'],
  [
    'a,b:2181:/x/y',
    [
      ['a', 2181],
      ['b', 2181],
    ],
    '/x/y',
  ],
  [
    'a:1,b,c:3:2181:/hbase',
    [
      ['a', 1],
      ['b', 2181],
      ['c', 3],
    ],
    '/hbase',
  ],
] as const)('the key %s names servers and their parent', (key, servers, znodeParent) => {
  expect(readClusterKey(key)).toEqual({
    registry: 'zookeeper',
    servers: servers.map(([host, port]) => ({ host, port })),
    znodeParent,
  })
})

test.each(['zk', 'zk:2181', ':1:/hbase', 'zk:0:/hbase', 'zk:x:/hbase'])('%s is no key', (key) => {
  expect(() => readClusterKey(key)).toThrow(`Invalid cluster key: ${key}`)
})

test('names in ZooKeeper that are those of no server are left out', () => {
  const names = ['rs,16020,1', 'rs', '', ',16020,1', 'rs,99999,1', 'rs,-1,1', 'rs,0,1', 'rs,x,1', 'rs,1.5,1']
  expect(sinkAddresses(names)).toEqual([{ host: 'rs', port: 16_020 }])
})
