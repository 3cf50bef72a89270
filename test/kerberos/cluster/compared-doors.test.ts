/**
 * HBase's own secure REST and Thrift servers and Tidegate in front of the same cluster, asked cases of the conformance suite by the same users, who
 * act as themselves on the cluster: equal answers. HBase's Thrift servers have the protection of TIDEGATE_THRIFT_PROTECTION, authentication by default.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scenario } from '../../../conformance/src/runner/case.ts'
import type { Target } from '../../../conformance/src/runner/exchange.ts'
import { NO_ANSWER, runScenario, type TableKeeper } from '../../../conformance/src/runner/run-scenario.ts'
import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { get } from '../../../src/model/query.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Protection } from '../../../src/wire/sasl/sasl.ts'
import type { ChildServer } from '../../harness/child-server.ts'
import { runningHBase } from '../../harness/kerberos/running-parts.ts'
import { SecuredStores } from '../../harness/kerberos/secured-store.ts'
import { startTidegate } from '../../harness/tidegate-process.ts'
import { NO_GET_LIMITS } from '../../store/suite/store-under-test.ts'
import { askLogin } from '../http/compared-answers.ts'
import { COMPARED, every, isComparable, ofLimitedUser } from './compared-scenarios.ts'
import { Relay } from './login-relays.ts'

const ANSWER_MS_MAX = 30_000
const START_MS_MAX = 120_000
const SCENARIO_MS_MAX = 240_000

const hbase = runningHBase()
const { realm, ports } = hbase
const stores = new SecuredStores(hbase)
const full = (name: string): string => `${name}@${realm.realm}`
const GATEWAY = `tidegate/compared-${process.pid}`
/** The cluster's superuser, since cases make and change tables. */
const SUPERUSER = 'hbase/localhost'
/** May read and write the family f of the tables that the cases begin with, and nothing else. */
const LIMITED = `compared-${process.pid}`
const REAL_PROTECTION = (process.env['TIDEGATE_THRIFT_PROTECTION'] ?? 'authentication') as Protection
const STRONGER = ['integrity', 'privacy'] as const

let folder: string
let store: Store
let limitedStore: Store
/** HBase's own servers and Tidegate's doors, by user, and Tidegate's alone by the protection of client and cluster. */
let ofSuperuser: readonly [real: Target, own: Target]
let ofLimited: readonly [real: Target, own: Target]
const protectedDoors = new Map<Protection, Target>()
const processes: ChildServer[] = []
const relays: Relay[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'compared-doors-'))
  const [gateway, services, limitedKeytab] = ['gateway', 'services', 'limited'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  await realm.addPrincipal(GATEWAY, { keytab: gateway })
  await realm.addPrincipal(LIMITED, { keytab: limitedKeytab })
  await realm.keytab(services, ['HTTP/localhost', 'hbase/localhost'])
  const superuser = await stores.logIn({ principal: full(SUPERUSER), keytab: services })
  const limited = await stores.logIn({ principal: full(LIMITED), keytab: limitedKeytab })
  store = await stores.open(superuser)
  limitedStore = await stores.open(limited)
  const doors = await tidegate(gateway, services, 'authentication')
  const ownPorts = [doors.port('rest'), doors.port('thrift'), doors.port('thrift')] as const
  const realPorts = [ports.rest, ports.thrift1, ports.thrift2] as const
  for (const [login, keep] of [
    [superuser, (targets: typeof ofSuperuser) => (ofSuperuser = targets)],
    [limited, (targets: typeof ofLimited) => (ofLimited = targets)],
  ] as const)
    keep([
      await target(login, realPorts, 'thrift/localhost', REAL_PROTECTION),
      await target(login, ownPorts, 'hbase/localhost', 'authentication'),
    ])
  for (const protection of STRONGER) {
    const server = await tidegate(gateway, services, protection)
    const all = [server.port('rest'), server.port('thrift'), server.port('thrift')] as const
    protectedDoors.set(protection, await target(superuser, all, 'hbase/localhost', protection))
  }
}, START_MS_MAX)

afterAll(async () => {
  for (const relay of relays) await relay.close()
  for (const server of processes) await server.stop()
  await stores.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Tidegate in front of the cluster, which it asks with this protection. */
async function tidegate(gateway: string, services: string, protection: Protection): Promise<ChildServer> {
  const server = await startTidegate(
    `hbase:127.0.0.1:${ports.zookeeper}/hbase`,
    '--kerberos-principal',
    full(GATEWAY),
    '--kerberos-keytab',
    gateway,
    '--kerberos-service-keytab',
    services,
    '--cluster-user',
    'proxy',
    '-D',
    `hbase.rpc.protection=${protection}`,
  )
  processes.push(server)
  return server
}

/** Relays to a server's doors, which log in as the user. `service`: the principal of its Thrift ports. */
async function target(
  login: KerberosLogin,
  [rest, thrift1, thrift2]: readonly [rest: number, thrift1: number, thrift2: number],
  service: string,
  protection: Protection,
): Promise<Target> {
  const token = (await login.negotiate(full('HTTP/localhost'))).toString('base64')
  const { kept } = await askLogin({
    port: rest,
    path: '/version',
    headers: { authorization: `Negotiate ${token}` },
  })
  expect(kept).toMatch(/^hadoop\.auth=/)
  const ticket = { login, target: full(service), protections: [protection] }
  const opened = await Promise.all([
    Relay.rest(rest, `Cookie: ${kept}`),
    Relay.thrift(thrift1, ticket),
    Relay.thrift(thrift2, ticket),
  ])
  relays.push(...opened)
  const [ofRest, ofThrift1, ofThrift2] = opened.map(({ port }) => ({ host: '127.0.0.1', port }))
  return { rest: `http://127.0.0.1:${ofRest!.port}`, thrift1: ofThrift1!, thrift2: ofThrift2! }
}

/** The exchange of each case that two servers answer alike. Throws where a case has no answer. */
async function answers(
  scenario: Scenario,
  of: Target,
  keeper?: TableKeeper,
): Promise<[string, string | undefined][]> {
  const exchanges = await runScenario(scenario, of, ANSWER_MS_MAX, keeper)
  const ids = scenario.cases.filter(isComparable).map(({ id }) => id)
  expect(ids).not.toEqual([])
  return ids.map((id) => [id, exchanges.get(id)])
}

function unanswered(all: readonly [string, string | undefined][]): unknown[] {
  return all.filter(([, exchange]) => exchange?.includes(NO_ANSWER) !== false)
}

/** The superuser makes the tables, and lets the other user into the family f of each. */
function keeper(scenario: Scenario, target: Target): TableKeeper {
  return {
    target,
    prepared: async () => {
      for (const table of scenario.tables.map(parseTableName)) {
        if (await store.catalog.tableExists(table, OWN_CALL)) await letIn(table)
      }
    },
  }
}

async function letIn(table: TableName): Promise<void> {
  const scope = { kind: 'table', table, family: Buffer.from('f') } as const
  const permission = { scope, actions: ['READ', 'WRITE'] } as const
  await store.upkeep.permissions!.grant({ user: LIMITED, permission }, false, OWN_CALL)
  // The region server learns it from ZooKeeper.
  for (;;) {
    const read = limitedStore.rows.get(table, [get(Buffer.from('none'))], NO_GET_LIMITS, OWN_CALL)
    if (await read.then(() => true, isMissing)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** True: not denied. A table without the family f, or a disabled one, cannot be asked. */
function isMissing({ code }: { readonly code?: string }): boolean {
  return code !== 'ACCESS_DENIED'
}

function limitedPart([id, exchange = '']: readonly [string, string | undefined]): [string, string] {
  return [id, ofLimitedUser(exchange)]
}

test.concurrent.each(COMPARED)(
  '$name',
  async ({ scenario, limited, isProtected }) => {
    const ofHBase = await answers(scenario, ofSuperuser[0])
    expect(unanswered(ofHBase)).toEqual([])
    expect(await answers(scenario, ofSuperuser[1])).toEqual(ofHBase)
    const part = every(3, scenario)
    const wanted = new Map(ofHBase)
    for (const protection of isProtected ? STRONGER : []) {
      const found = await answers(part, protectedDoors.get(protection)!)
      expect(found, protection).toEqual(found.map(([id]) => [id, wanted.get(id)]))
    }
    if (limited === undefined) return
    const toLimited = await answers(limited, ofLimited[0], keeper(limited, ofSuperuser[0]))
    expect(unanswered(toLimited)).toEqual([])
    expect(toLimited).not.toEqual(toLimited.map(([id]) => [id, wanted.get(id)]))
    const fromTidegate = await answers(limited, ofLimited[1], keeper(limited, ofSuperuser[1]))
    expect(fromTidegate.map(limitedPart)).toEqual(toLimited.map(limitedPart))
  },
  SCENARIO_MS_MAX,
)
