/** Tidegate on its engine, without logins and with each protection at its own doors. */

import type { ChildServer } from '../../test/harness/child-server.ts'
import { startTidegate } from '../../test/harness/tidegate-process.ts'
import type { BenchRealm } from './bench-realm.ts'
import { type BenchedServer, type DoorLogin, KINDS, type Kind } from './benched-server.ts'

/** The protection of native RPC: at the doors, and to a cluster behind them. */
export function protectionFlags({ protection, asksForAes }: Kind): string[] {
  if (protection === undefined) return []
  const aes = asksForAes ? ['-D', 'hbase.rpc.crypto.encryption.aes.enabled=true'] : []
  return ['-D', `hbase.rpc.protection=${protection}`, ...aes]
}

/** Of clients of Tidegate, whose service of SASL is hbase. */
export function tidegateLogins(
  realm: BenchRealm,
  thriftProtection: DoorLogin['thriftProtection'],
): DoorLogin {
  const [rest, sasl] = [realm.full('HTTP/localhost'), realm.full('hbase/localhost')]
  return { login: realm.login, principals: { rest, thrift: sasl, rpc: sasl }, thriftProtection }
}

export function tidegateServer(
  process: ChildServer,
  kind: Kind,
  logins: DoorLogin | undefined,
): BenchedServer {
  const pid = process.pid!
  return {
    owner: 'Tidegate',
    kind,
    ports: { rest: process.port('rest'), thrift: process.port('thrift'), rpc: process.port('zookeeper') },
    pids: { rest: pid, thrift: pid, rpc: pid },
    logins,
  }
}

/** `started`: takes each process, for the caller to stop. */
export async function startDoorServers(
  realm: BenchRealm,
  started: (process: ChildServer) => void,
): Promise<readonly BenchedServer[]> {
  const servers: BenchedServer[] = []
  for (const kind of KINDS) {
    const { protection } = kind
    const flags = protection === undefined ? [] : [...realm.doorFlags, ...protectionFlags(kind)]
    const process = await startTidegate(`native:${realm.folder}/${kind.name.replaceAll(' ', '-')}`, ...flags)
    started(process)
    const logins = protection && tidegateLogins(realm, protection)
    servers.push(tidegateServer(process, kind, logins))
  }
  return servers
}
