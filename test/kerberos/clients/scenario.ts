/** Steps of HBase's Java client as several users, with the answers of a real HBase, which other servers must give too. */

import { join } from 'node:path'
import { expect } from 'vitest'
import type { Protection } from '../../../src/wire/sasl/sasl.ts'
import { type ClientLogin, runKerberosClient } from '../../harness/kerberos/kerberos-client.ts'
import type { KerberosRealm } from '../../harness/kerberos/kerberos-realm.ts'
import { securedClientSettings } from '../../harness/kerberos/secured-hbase.ts'
import { addServiceKeys } from '../../harness/kerberos/service-keytab.ts'

/** The failure of a client whose registry, RpcConnectionRegistry, has made the process believe that there is no login: at HBase's servers, too. */
export const NO_REGISTRY = 'RetriesExhaustedException: Failed contacting masters'

/** A server with its ZooKeeper, on which `rest` may act as any user, and `hbase` is the superuser. */
export interface ScenarioServer {
  readonly realm: KerberosRealm
  readonly zookeeperPort: number
  /** For keytabs and ticket caches. */
  readonly folder: string
}

interface Users {
  readonly alice: ClientLogin
  readonly bob: ClientLogin
  readonly other: ClientLogin
  readonly gateway: ClientLogin
}

/** A table of its own in each run; alice, with a keytab, may write into it, and bob, with a ticket, may not. */
export class Scenario {
  readonly #server: ScenarioServer
  readonly #users: Users
  /** Part of the names of its table and its users, which other suites of the KDC do not have. */
  readonly #name: string

  private constructor(server: ScenarioServer, name: string, users: Users) {
    this.#server = server
    this.#name = name
    this.#users = users
  }

  static async start(server: ScenarioServer, name: string): Promise<Scenario> {
    const { realm, folder } = server
    const file = (kind: string): string => join(folder, `${name}-${kind}`)
    await realm.addPrincipal(`${name}-alice`, { keytab: file('alice.keytab') })
    await realm.addPrincipal(`${name}-bob`, { password: 'a secret' })
    await realm.addPrincipal(`${name}-zoe@OTHER.TEST`, { password: 'a secret' })
    await realm.kinit(file('bob'), `${name}-bob`, { password: 'a secret' })
    await realm.kinit(file('zoe'), `${name}-zoe@OTHER.TEST`, { password: 'a secret' })
    for (const principal of ['hbase/localhost', 'rest/localhost'])
      await addServiceKeys(realm, principal, file('services.keytab'))
    const scenario = new Scenario(server, name, {
      alice: { principal: `${name}-alice`, keytab: file('alice.keytab') },
      bob: { cache: file('bob') },
      other: { cache: file('zoe') },
      gateway: { principal: 'rest/localhost', keytab: file('services.keytab') },
    })
    const superuser = { principal: 'hbase/localhost', keytab: file('services.keytab') }
    const made = await scenario.#run(superuser, [`create ${name} f`, `grant ${name}-alice RW ${name}`])
    if (made.join() !== 'ok,ok') throw new Error(`the table was not made: ${made.join()}`)
    return scenario
  }

  /** The answers of HBase to `answers`. */
  get expected(): unknown[] {
    const name = this.#name
    return [
      `ok ${name}-alice KERBEROS`,
      'ok',
      'ok r1=v1',
      'ok r1=v1',
      `ok ${name}-alice TOKEN`,
      'ok r1=v1',
      'AccessDeniedException: Token generation only allowed for Kerberos authenticated clients',
      expect.stringMatching(HUNG_UP),
    ]
  }

  /** Alice's, by her keytab and by a token. */
  answers(protection: Protection = 'authentication'): Promise<string[]> {
    const name = this.#name
    const steps = [
      'whoami',
      `put ${name} r1 f:q v1`,
      `get ${name} r1`,
      `scan ${name}`,
      'token whoami',
      `token get ${name} r1`,
      'token retoken',
      `as ${name}-bob get ${name} r1`,
    ]
    return this.#run(this.#users.alice, steps, { 'hbase.rpc.protection': protection })
  }

  /** Of alice, whose client asks a region server for the cluster, and not ZooKeeper: one line. */
  byRpcRegistry(regionServerPort: number): Promise<string[]> {
    return this.#run(this.#users.alice, ['whoami'], {
      'hbase.client.registry.impl': 'org.apache.hadoop.hbase.client.RpcConnectionRegistry',
      'hbase.client.bootstrap.servers': `localhost:${regionServerPort}`,
    })
  }

  /** Bob's, who has a ticket and no right: one line. */
  denied(): Promise<string[]> {
    return this.#run(this.#users.bob, [`get ${this.#name} r1`])
  }

  /** Of a user of another realm: one line. */
  ofOtherRealm(): Promise<string[]> {
    // The client itself needs a rule for its name.
    const rule = 'RULE:[1:$1@$0](.*@OTHER.TEST)s/@.*// DEFAULT'
    return this.#run(this.#users.other, ['whoami'], { 'hadoop.security.auth_to_local': rule })
  }

  /** Of a gateway that acts as alice and as bob, and by itself, which has no right. */
  asGateway(): Promise<string[]> {
    const name = this.#name
    const steps = [
      `as ${name}-alice put ${name} r3 f:q v3`,
      `as ${name}-alice get ${name} r3`,
      `as ${name}-bob get ${name} r3`,
      `get ${name} r3`,
    ]
    return this.#run(this.#users.gateway, steps)
  }

  /** Of a client without Kerberos: one line. */
  withoutLogin(): Promise<string[]> {
    const simple = { 'hbase.security.authentication': 'simple', 'hadoop.security.authentication': 'simple' }
    return this.#run({ cache: '/none' }, [`get ${this.#name} r1`], simple)
  }

  /** Writes a token of alice's into the file, as the tasks of jobs read it. */
  async saveToken(file: string): Promise<void> {
    const [answer] = await this.#run(this.#users.alice, [`save ${file}`])
    if (!answer!.startsWith('ok ')) throw new Error(`no token: ${answer}`)
  }

  #run(
    login: ClientLogin,
    steps: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<string[]> {
    const { realm, zookeeperPort } = this.#server
    const settings = { ...securedClientSettings(realm, zookeeperPort), ...more }
    return runKerberosClient(realm, { login, settings, steps })
  }
}

/** The answer to a client whose login HBase does not take: HBase logs the reason and hangs up, and the client sees either. */
export const HUNG_UP: RegExp =
  /^(?:ConnectionClosedException: Connection closed|SocketException: Connection reset)$/

export function deniedTo(user: string): string {
  return `AccessDeniedException: Insufficient permissions for user '${user}'`
}
