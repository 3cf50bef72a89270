/** Tidegate's client at a real ZooKeeper that takes no session without a login. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DEFAULT_ZOOKEEPER_LOGIN,
  type ZooKeeperLoginOptions,
} from '../../../adapters/hbase/config/zookeeper-login.ts'
import { ZooKeeperClient } from '../../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { type SecuredZooKeeper, startSecuredZooKeeper } from '../../harness/kerberos/secured-zookeeper.ts'

let folder: string
let kdc: Kdc
let kerberos: Kerberos
let login: KerberosLogin
let zookeeper: SecuredZooKeeper
let environment: Readonly<Record<string, string | undefined>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zookeeper-login-'))
  kdc = await Kdc.start()
  environment = Object.fromEntries(Object.keys(kdc.environment).map((name) => [name, process.env[name]]))
  Object.assign(process.env, kdc.environment)
  const keytab = join(folder, 'keytab')
  await kdc.addPrincipal('tidegate/localhost', { keytab })
  await kdc.addPrincipal('zookeeper/localhost', { keytab })
  kerberos = openKerberos()
  login = await kerberos.logIn({ principal: 'tidegate/localhost@TIDEGATE.TEST', keytab })
  zookeeper = await startSecuredZooKeeper(kdc, keytab)
}, 120_000)

afterAll(async () => {
  await zookeeper?.stop()
  login?.close()
  await kerberos?.close()
  await kdc?.close()
  for (const [name, value] of Object.entries(environment ?? {}))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  rmSync(folder, { recursive: true, force: true })
})

async function reading<T>(
  options: Partial<ZooKeeperLoginOptions> | undefined,
  work: (client: ZooKeeperClient) => Promise<T>,
): Promise<T> {
  const client = new ZooKeeperClient({
    servers: [{ host: '127.0.0.1', port: zookeeper.port }],
    login: options && { kerberos: login, options: { ...DEFAULT_ZOOKEEPER_LOGIN, ...options } },
    chroot: '',
    sessionTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    idleMs: 60_000,
    random: () => 0,
  })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

describe('a ZooKeeper that wants a login', { timeout: 60_000 }, () => {
  test('the client logs in once it is refused, and reads', async () => {
    const children = await reading({}, (client) => client.getChildren('/zookeeper'))
    expect(children?.toSorted()).toEqual(['config', 'quota'])
  })

  test('the client logs in at once', async () => {
    expect(await reading({ use: 'always' }, (client) => client.exists('/none'))).toBeUndefined()
  })

  test('without a login the refusal says what to do', async () => {
    await expect(reading(undefined, (client) => client.exists('/zookeeper'))).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: expect.stringMatching(/sessionClosedRequireAuth for \/zookeeper: it wants a login/),
    })
  })

  test('a principal that the KDC does not know', async () => {
    await expect(
      reading({ use: 'always', service: 'none' }, (client) => client.exists('/zookeeper')),
    ).rejects.toThrow(/login as tidegate\/localhost@TIDEGATE.TEST to none\/localhost@TIDEGATE.TEST: /)
  })

  test("a principal whose key is not ZooKeeper's", async () => {
    await expect(
      reading({ use: 'always', principal: 'tidegate/localhost@TIDEGATE.TEST' }, (client) =>
        client.exists('/zookeeper'),
      ),
    ).rejects.toThrow(/the server answers (?:authFailed|sessionClosedRequireAuth); its log/)
  })
})
