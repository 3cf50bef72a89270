import { describe, expect, test } from 'vitest'
import { DEFAULT_ZOOKEEPER_LOGIN } from '../../../adapters/hbase/config/zookeeper-login.ts'
import { clusterOptions, parseClusterStore } from '../../../src/cli/settings/cluster-options.ts'
import { zookeeperLogin } from '../../../src/cli/settings/zookeeper-login-options.ts'

describe("keys of the login to a cluster's ZooKeeper", () => {
  test('without keys the defaults', () => {
    expect(zookeeperLogin(new Map())).toBeUndefined()
    const properties = new Map([['zookeeper.sasl.client', 'true']])
    const { zookeeperLogin: read } = clusterOptions(parseClusterStore('hbase:h:1'), properties)
    expect(read).toEqual(DEFAULT_ZOOKEEPER_LOGIN)
  })

  test('each key has its effect', () => {
    const properties = new Map([
      ['zookeeper.sasl.client.username', 'zk'],
      ['zookeeper.server.principal', 'zk/one@TEST'],
      ['zookeeper.server.realm', 'TEST'],
      ['zookeeper.sasl.client.canonicalize.hostname', 'false'],
      ['hbase.zookeeper.client.kerberos.principal', 'hbase/_HOST@TEST'],
    ])
    const read = {
      use: 'always',
      service: 'zk',
      principal: 'zk/one@TEST',
      realm: 'TEST',
      asksForNames: false,
    }
    expect(zookeeperLogin(properties)).toEqual(read)
    properties.set('zookeeper.sasl.client', 'false')
    expect(zookeeperLogin(properties)).toEqual({ ...read, use: 'never' })
    properties.set('zookeeper.sasl.client', 'perhaps')
    expect(() => zookeeperLogin(properties)).toThrow(/true or false/)
  })
})
