/** The logins of connections to a secure cluster: principals by service, users, and failures. */

import { beforeEach, describe, expect, test } from 'vitest'
import type { ClusterKerberos } from '../../../../adapters/hbase/config/cluster-kerberos.ts'
import {
  ServerConnections,
  type ServerConnectionsConfig,
  type ServiceName,
} from '../../../../adapters/hbase/connections/server-connections.ts'
import type { RpcConnectionOptions } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import { ManualTime } from '../retry/manual-time.ts'
import { failure } from '../rpc/echo-connection.ts'
import { FakeKerberosLogin } from '../rpc/fake-kerberos.ts'

const SERVER = { host: 'RS1', port: 1 }
const ANN: Call = { ...OWN_CALL, isOwn: false, principal: { user: 'ann' } }

let time: ManualTime
let asked: RpcConnectionOptions[]
let reason: RpcError

beforeEach(() => {
  time = new ManualTime()
  asked = []
  reason = new RpcError('CONNECT_FAILED', 'away')
})

function secure(
  kerberos: Partial<ClusterKerberos> = {},
  more: Partial<ServerConnectionsConfig> = {},
): ServerConnections {
  return new ServerConnections({
    time,
    options: { user: 'root' },
    kerberos: {
      login: new FakeKerberosLogin(),
      masterPrincipal: 'master/_HOST@REALM',
      regionServerPrincipal: 'hbase/_HOST@REALM',
      protections: ['privacy'],
      mayFallBack: false,
      ...kerberos,
    },
    connect: (options) => {
      asked.push(options)
      return Promise.reject(reason)
    },
    ...more,
  })
}

async function ask(
  connections: ServerConnections,
  service: ServiceName,
  call: Call = OWN_CALL,
  server = SERVER,
): Promise<unknown> {
  return failure(connections.get(server, service, time.now() + 1000, call))
}

async function principalsFor(service: ServiceName, kerberos?: Partial<ClusterKerberos>): Promise<unknown> {
  await ask(secure(kerberos), service)
  return asked.at(-1)?.kerberos?.principals
}

const hostName = (host: string): Promise<string> => Promise.resolve(`${host}.Example.Org`)

describe('the principals that a server may have', () => {
  test.each<[ServiceName, string[]]>([
    ['ClientService', ['hbase/rs1@REALM']],
    ['AdminService', ['hbase/rs1@REALM']],
    ['MasterService', ['master/rs1@REALM']],
    ['HbckService', ['master/rs1@REALM']],
    ['ClientMetaService', ['master/rs1@REALM', 'hbase/rs1@REALM']],
  ])('are those of its service: %s', async (service, principals) => {
    expect(await principalsFor(service)).toEqual(principals)
  })

  test('are one where both kinds of servers share it, and have the name that the address stands for', async () => {
    const shared = 'hbase/_HOST@REALM'
    expect(await principalsFor('ClientMetaService', { masterPrincipal: shared, hostName })).toEqual([
      'hbase/rs1.example.org@REALM',
    ])
    expect(
      await principalsFor('ClientService', { regionServerPrincipal: 'hbase/all@REALM', hostName }),
    ).toEqual(['hbase/all@REALM'])
  })

  test('are those of each server’s own host', async () => {
    const connections = secure({ hostName })
    for (const host of ['rs1', '127.0.0.2', 'RS3']) {
      await ask(connections, 'ClientService', OWN_CALL, { host, port: 1 })
      await time.advance(10_000)
    }
    expect(asked.map(({ kerberos }) => kerberos?.principals)).toEqual([
      ['hbase/rs1.example.org@REALM'],
      ['hbase/127.0.0.2.example.org@REALM'],
      ['hbase/rs3.example.org@REALM'],
    ])
  })

  test('have a host where _HOST is the whole of their second part alone, as in Hadoop', async () => {
    for (const regionServerPrincipal of ['hbase/x_HOST@REALM', '_HOST/hbase@REALM'])
      expect(await principalsFor('ClientService', { regionServerPrincipal })).toEqual([regionServerPrincipal])
  })
})

describe('the user of a connection', () => {
  test('is the principal for own calls, and a passed user without a real user', async () => {
    const connections = secure({}, { passing: { as: 'proxy', connectionsMax: 10 } })
    await ask(connections, 'ClientService')
    expect(asked[0]).toMatchObject({ user: 'tidegate/host1@REALM' })
    expect(asked[0]?.isPassed).toBeUndefined()
    reason = new RpcError('USER_REFUSED', 'no')
    await time.advance(10_000)
    expect(await ask(connections, 'ClientService', ANN)).toBe(reason)
    expect(asked[1]).toMatchObject({ user: 'ann', isPassed: true })
    expect(asked[1]?.realUser).toBeUndefined()
  })
})

describe('a login that failed', () => {
  test('is not tried again for two seconds, for any user', async () => {
    reason = new RpcError('LOGIN_FAILED', 'no KDC')
    const connections = secure({}, { passing: { as: 'proxy', connectionsMax: 10 } })
    expect(await ask(connections, 'ClientService')).toBe(reason)
    expect(await ask(connections, 'AdminService', ANN)).toMatchObject({
      code: 'LOGIN_FAILED',
      message: 'no KDC (a moment ago)',
    })
    expect(asked).toHaveLength(1)
    await time.advance(2_001)
    await ask(connections, 'ClientService')
    expect(asked).toHaveLength(2)
  })
})
