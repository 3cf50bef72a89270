/**
 * Two clusters of real HBase, one as it comes and one that takes logins of Kerberos only. In front of each stand Tidegate and HBase's own REST
 * and Thrift servers; in front of the secured one, a process of each kind for each protection of native RPC. There clients log in, too: by a
 * cookie of SPNEGO to REST, and by SASL without protection to Thrift.
 */

import type { ChildServer } from '../../test/harness/child-server.ts'
import { startSecuredHBase } from '../../test/harness/kerberos/secured-hbase.ts'
import { QUICK_SETTINGS } from '../../test/harness/real-hbase/quick-settings.ts'
import { RealHBase } from '../../test/harness/real-hbase/real-hbase.ts'
import { startTidegate } from '../../test/harness/tidegate-process.ts'
import type { BenchRealm } from './bench-realm.ts'
import { type BenchedServer, KINDS, type Kind, PLAIN } from './benched-server.ts'
import { protectionFlags, tidegateLogins, tidegateServer } from './door-servers.ts'

const PROTECTED = KINDS.filter(({ protection }) => protection !== undefined)

/** The region server and the master are one process of all protections: the client chooses. */
async function hbaseServer(
  hbase: RealHBase,
  kind: Kind,
  realm: BenchRealm | undefined,
): Promise<BenchedServer> {
  const suffix = kind.name.replaceAll(' ', '-')
  const settings =
    kind.protection === undefined
      ? // Clients without a login find the end of an answer by its frame, as they do behind one.
        { 'hbase.regionserver.thrift.framed': 'true' }
      : {
          'hbase.rpc.protection': kind.protection,
          'hbase.rpc.crypto.encryption.aes.enabled': String(kind.asksForAes),
        }
  const rest = await hbase.startGateway(`rest-${suffix}`, 'rest', settings)
  const thrift = await hbase.startGateway(`thrift-${suffix}`, 'thrift1', settings)
  const logins = realm && {
    ...tidegateLogins(realm, 'authentication'),
    principals: {
      rest: realm.full('HTTP/localhost'),
      thrift: realm.full('thrift/localhost'),
      rpc: realm.full('hbase/localhost'),
    },
  }
  return {
    owner: 'HBase',
    kind,
    ports: { rest, thrift, rpc: hbase.ports.zookeeper },
    pids: {
      rest: hbase.pidOf(`rest-${suffix}`),
      thrift: hbase.pidOf(`thrift-${suffix}`),
      rpc: hbase.pidOf('master'),
    },
    logins,
  }
}

export class Clusters {
  readonly servers: BenchedServer[] = []
  readonly #hbases: RealHBase[] = []
  readonly #tidegates: ChildServer[] = []

  /** Pushes each server as it starts. The caller calls `stop`, where this rejects too. */
  async start(realm: BenchRealm): Promise<void> {
    const plain = await RealHBase.start({ gateways: false, settings: QUICK_SETTINGS })
    this.#hbases.push(plain)
    const secured = await startSecuredHBase(realm.kdc, { aes: true, gateways: false })
    this.#hbases.push(secured)
    await this.#tidegate(plain, PLAIN, [])
    for (const kind of PROTECTED) {
      const flags = [...realm.doorFlags, ...realm.clusterFlags, ...protectionFlags(kind)]
      await this.#tidegate(secured, kind, flags, realm)
    }
    this.servers.push(await hbaseServer(plain, PLAIN, undefined))
    for (const kind of PROTECTED) this.servers.push(await hbaseServer(secured, kind, realm))
  }

  async #tidegate(hbase: RealHBase, kind: Kind, flags: readonly string[], realm?: BenchRealm): Promise<void> {
    const process = await startTidegate(`hbase:127.0.0.1:${hbase.ports.zookeeper}/hbase`, ...flags)
    this.#tidegates.push(process)
    this.servers.push(tidegateServer(process, kind, realm && tidegateLogins(realm, 'authentication')))
  }

  async stop(): Promise<void> {
    for (const process of this.#tidegates) await process.stop()
    for (const hbase of this.#hbases) await hbase.stop()
  }
}
