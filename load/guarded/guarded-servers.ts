/** Servers with the same table, one as it comes and others that are guarded in some way. */

import { cpSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch, type MutationOptions } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { Authority, type PemFolder } from '../../test/harness/certificates.ts'
import { ChildServer } from '../../test/harness/child-server.ts'
import { visibility } from '../../test/harness/labels/asking.ts'
import { openRpcStore } from '../../test/harness/rpc-store.ts'
import { FREE_PORTS, MAIN } from '../../test/harness/tidegate-process.ts'
import { type BenchTable, benchTable } from '../bench-table.ts'

const ROWS = 20_000
const TOGETHER = 1000
const TABLE = parseTableName('bench')
const [FAMILY, QUALIFIER] = [Buffer.from('f'), Buffer.from('q')]
const ADMINISTRATOR = 'root'
const LABEL = 'secret'

export interface Login {
  readonly user: string
  readonly password: string
}

const ALICE: Login = { user: 'alice', password: 'the password of alice' }

export interface GuardedServer {
  readonly name: string
  readonly process: ChildServer
  readonly table: BenchTable
  /** The full name of the table's only region. */
  readonly region: Buffer
  /** Undefined: connections are not encrypted. */
  readonly tls: ConnectionOptions | undefined
  /** Undefined: clients need no login. */
  readonly login: Login | undefined
}

interface Kind {
  readonly name: string
  readonly hasTls?: true
  readonly flags?: readonly string[]
  /** Cells with a label that the user may see. */
  readonly isLabelled?: true
}

const AS_PERMITTED = ['--authorization', '--superuser', ADMINISTRATOR]
const AS_LABELLED = ['--visibility-labels', '--superuser', ADMINISTRATOR]

/** The first is the one that the others are compared with. */
const KINDS: readonly Kind[] = [
  { name: 'plain' },
  { name: 'TLS', hasTls: true },
  { name: 'permissions', flags: AS_PERMITTED },
  { name: 'both', hasTls: true, flags: AS_PERMITTED },
  { name: 'labels', flags: AS_LABELLED, isLabelled: true },
]

/** All of them hold the same rows, which were written once and lie in files. */
export async function startGuardedServers(folder: PemFolder): Promise<readonly GuardedServer[]> {
  const users = `${folder.path}/users`
  await writeUser(users, ALICE.user, ALICE.password)
  const authority = await Authority.make()
  const issued = await authority.issue({ name: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  const { certificate, key } = folder.write('server', issued)
  const permitted = await filled(`${folder.path}/permitted`, AS_PERMITTED, permit)
  const labelled = await filled(`${folder.path}/labelled`, AS_LABELLED, label, visibility(LABEL))
  const servers: GuardedServer[] = []
  for (const { name, hasTls, flags, isLabelled } of KINDS) {
    const directory = `${folder.path}/${name}`
    cpSync(isLabelled === true ? labelled.directory : permitted.directory, directory, { recursive: true })
    const encryption = hasTls === true ? ['--tls-certificate', certificate, '--tls-key', key] : []
    const logins = flags === undefined ? [] : ['--users', users, ...flags]
    servers.push({
      name,
      process: await serve(directory, [...encryption, ...logins]),
      table: benchTable(TABLE, ROWS),
      region: (isLabelled === true ? labelled : permitted).region,
      tls: hasTls === true ? { ca: authority.certificate } : undefined,
      login: flags === undefined ? undefined : ALICE,
    })
  }
  return servers
}

function serve(directory: string, flags: readonly string[]): Promise<ChildServer> {
  return ChildServer.start(MAIN, [
    'serve',
    '--store',
    `native:${directory}`,
    ...FREE_PORTS,
    '--log-level',
    'error',
    ...flags,
  ])
}

interface Filled {
  readonly directory: string
  readonly region: Buffer
}

/** Makes and fills the table. Meanwhile a client that names itself the administrator needs no password. */
async function filled(
  directory: string,
  flags: readonly string[],
  prepare: (store: Store) => Promise<unknown>,
  options?: MutationOptions,
): Promise<Filled> {
  const server = await serve(directory, ['--insecure', ...flags])
  try {
    const store = await openRpcStore(server.port('rpc'), {}, ADMINISTRATOR)
    try {
      const { catalog, rows, upkeep } = store
      await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
      await prepare(store)
      const table = benchTable(TABLE, ROWS)
      const value = Buffer.alloc(table.valueBytes, 'v')
      for (let from = 0; from < ROWS; from += TOGETHER) {
        const batch = new MutationBatch()
        for (const row of table.rows.slice(from, from + TOGETHER))
          batch.put(Buffer.from(row), FAMILY, QUALIFIER, value).endMutation(options)
        const [failure] = await rows.mutate(TABLE, batch, OWN_CALL)
        if (failure !== undefined) throw failure.error
      }
      await upkeep.flushes!.flushTable(TABLE, OWN_CALL)
      const [region] = await catalog.regions(TABLE, OWN_CALL)
      return { directory, region: region!.name }
    } finally {
      await store.close()
    }
  } finally {
    await server.stop()
  }
}

function permit({ upkeep }: Store): Promise<void> {
  const permission = { scope: { kind: 'table', table: TABLE }, actions: ['READ', 'WRITE'] } as const
  return upkeep.permissions!.grant({ user: ALICE.user, permission }, false, OWN_CALL)
}

async function label({ upkeep }: Store): Promise<void> {
  const [user, name] = [Buffer.from(ALICE.user), Buffer.from(LABEL)]
  const { labels } = upkeep
  const outcomes = [
    ...(await labels!.addLabels([name], OWN_CALL)),
    ...(await labels!.setAuths(user, [name], OWN_CALL)),
  ]
  for (const outcome of outcomes) if (outcome !== undefined) throw outcome
}
