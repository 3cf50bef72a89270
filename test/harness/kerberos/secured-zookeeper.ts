/** A real ZooKeeper, a process of its own without HBase, that takes no session without a login by Kerberos. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptPort } from '../kept-port.ts'
import { own } from '../processes/owned-children.ts'
import { resolveJars } from '../real-hbase/jars.ts'
import { kerberosJavaOptions } from './java-options.ts'
import type { KerberosRealm } from './kerberos-realm.ts'

const START_MS_MAX = 60_000

export interface SecuredZooKeeper {
  readonly port: number
  stop(): Promise<void>
}

/** The text of a JAAS file that logs in by a keytab. `section`: `Server` or `Client`. */
export function jaasText(section: string, principal: string, keytab: string): string {
  return `${section} {
  com.sun.security.auth.module.Krb5LoginModule required
  useKeyTab=true keyTab="${keytab}" principal="${principal}" storeKey=true useTicketCache=false;
};
`
}

/** `keytab`: has the keys of `zookeeper/localhost`. Rejects with what it prints where it does not start. */
export async function startSecuredZooKeeper(realm: KerberosRealm, keytab: string): Promise<SecuredZooKeeper> {
  const folder = mkdtempSync(join(tmpdir(), 'zookeeper-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  const port = await keptPort()
  const jaas = join(folder, 'jaas.conf')
  writeFileSync(jaas, jaasText('Server', `zookeeper/localhost@${realm.realm}`, keytab))
  writeFileSync(join(folder, 'zoo.cfg'), configuration(folder, port))
  const child = spawn(
    'java',
    [
      ...kerberosJavaOptions(realm),
      `-Djava.security.auth.login.config=${jaas}`,
      '-Dzookeeper.authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider',
      '-Dzookeeper.sessionRequireClientSASLAuth=true',
      '-Xmx64m',
      '-cp',
      `${resolveJars()}/*`,
      'org.apache.zookeeper.server.ZooKeeperServerMain',
      join(folder, 'zoo.cfg'),
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...realm.environment } },
  )
  own(child, remove)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  const stop = async (): Promise<void> => {
    await ended(child)
    remove()
  }
  const deadline = Date.now() + START_MS_MAX
  while (!(await answers(port))) {
    if (child.exitCode === null && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      continue
    }
    await stop()
    throw new Error(`ZooKeeper does not start:\n${printed.slice(-3000)}`)
  }
  return { port, stop }
}

function configuration(folder: string, port: number): string {
  const lines = [
    `dataDir=${folder}/data`,
    'clientPortAddress=127.0.0.1',
    `clientPort=${port}`,
    'tickTime=2000',
    'admin.enableServer=false',
  ]
  return `${lines.join('\n')}\n`
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

/** True once it serves. It takes connections before that, and ends them without an answer. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('srvr'))
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => {
      text += piece
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(text.includes('Mode: ')))
  })
}
